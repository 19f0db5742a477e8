// The page's side of the program: starts the program, provides the functions that `src/system/page.rs` calls, translates
// touch, and corrects miniquad's `gl.js`. The page loads `gl.js` before this file, and the names of `gl.js` (`canvas`, `gl`,
// `importObject`, `wasm_exports`, …) are global.
"use strict";

const host = {
  // Files that the program has not taken yet: { name, bytes, flags }.
  files: [],
  // Names of the files opened or saved in this visit: `deliverKept` leaves them out.
  names: [],
  text: new Uint8Array(0),
  // The address from `#` on, until the program has taken it.
  hash: location.hash,
  timer: null,
  // When the timer's frame is due, in milliseconds of the page's clock; infinity without a timer.
  due: Infinity,
  isUnsaved: false,
  hasFailed: false,
};

const IS_CHOSEN = 1;
const IS_LAST = 2;
const HAS_FILE = 4;
const IS_KEPT = 8;

const view = (at, length) => new Uint8Array(wasm_memory.buffer, at, length);
const textAt = (at, length) => new TextDecoder().decode(view(at, length));
const element = (id) => document.getElementById(id);

// Shows a message instead of the program. Later failures are ignored: they follow from the first.
function fail(message, details) {
  if (host.hasFailed) return;
  host.hasFailed = true;
  importObject.env.sapp_schedule_update = () => {};
  element("status").hidden = false;
  element("message").textContent = message;
  element("progress").hidden = true;
  element("details").hidden = !details;
  element("details").textContent = details || "";
  element("reload").hidden = false;
  element("reload").onclick = () => location.reload();
  canvas.blur();
}

// Returns a part of the address for `page.rs`. `?` stands for the address without query and hash. `#` stands for the hash,
// which is returned once after each change. Any other key stands for its value in the query, or "" if the key is missing.
function query(key) {
  if (key === "?") return location.origin + location.pathname;
  if (key !== "#") return new URLSearchParams(location.search).get(key) ?? "";
  const hash = host.hash;
  host.hash = "";
  return hash;
}

// Keeps a text for the next visit. If the browser forbids storage or has no room, the text is lost and the program goes on.
function store(name, text) {
  try {
    if (stored(name) !== text) localStorage.setItem(`kinescope/${name}`, text);
  } catch (error) {
    console.info(`${name} is not kept: ${error.message}`);
  }
}
function stored(name) {
  try {
    return localStorage.getItem(`kinescope/${name}`) ?? "";
  } catch {
    return "";
  }
}

function drawAfter(milliseconds) {
  const at = performance.now() + milliseconds;
  if (at >= host.due) return;
  clearTimeout(host.timer);
  host.due = at;
  host.timer = setTimeout(() => {
    host.due = Infinity;
    importObject.env.sapp_schedule_update();
  }, milliseconds);
}

// The page keeps the newest files, up to this many bytes in all, for the lists of recent files of later visits.
const KEPT_BYTES = 32e6;
// Runs `change` on the store of kept files. Returns a promise of the result of the request that `change` returns, or of
// `undefined` if `change` returns no request.
function inStore(change) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("kinescope", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("files", { keyPath: "name" });
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction("files", "readwrite");
      const request = change(transaction.objectStore("files"));
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = () => reject(transaction.error);
    };
  });
}
async function keep(files) {
  try {
    await inStore((store) => files.forEach(({ name, bytes }) => store.put({ name, bytes, at: Date.now() })));
    const all = await inStore((store) => store.getAll());
    let room = KEPT_BYTES;
    const old = all.sort((a, b) => b.at - a.at).filter(({ bytes }) => { room -= bytes.length; return room < 0; });
    await inStore((store) => old.forEach(({ name }) => store.delete(name)));
  } catch (error) {
    console.info(`files are not kept: ${error?.message}`);
  }
}
async function deliverKept() {
  const all = await inStore((store) => store.getAll()).catch(() => []);
  const known = new Set(host.names);
  const files = all.filter(({ name }) => !known.has(name));
  if (files.length > 0) deliver(files, IS_KEPT);
}

function deliver(files, flags) {
  if (!(flags & IS_KEPT)) {
    host.names.push(...files.map(({ name }) => name));
    keep(files.filter(({ bytes }) => bytes.length > 0));
  }
  if (files.length === 0) {
    host.files.push({ name: new Uint8Array(0), bytes: new Uint8Array(0), flags: flags | IS_LAST });
  }
  files.forEach((file, index) => {
    const last = index === files.length - 1 ? IS_LAST : 0;
    host.files.push({ name: new TextEncoder().encode(file.name), bytes: file.bytes, flags: flags | HAS_FILE | last });
  });
  importObject.env.sapp_schedule_update();
}

async function read(list) {
  return Promise.all(Array.from(list, async (file) => {
    return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
  }));
}

function download(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

function chooseFile(endings) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = endings;
  input.multiple = true;
  input.id = "chooser";
  input.hidden = true;
  element("chooser")?.remove();
  document.body.append(input);
  input.onchange = async () => deliver(await read(input.files), IS_CHOSEN);
  input.oncancel = () => deliver([], IS_CHOSEN);
  input.click();
}

// Opens `?url=FILE` from this origin only: otherwise any site could link to the page and have its own file opened here.
async function openAddress() {
  const address = new URLSearchParams(location.search).get("url");
  if (!address) return;
  const url = new URL(address, location.href);
  const name = decodeURIComponent(url.pathname.split("/").pop());
  const say = (reason) => deliver([{ name: `${name} (${reason})`, bytes: new Uint8Array(0) }], 0);
  if (url.origin !== location.origin) return say("not opened: it is on another site");
  const answer = await fetch(url).catch(() => null);
  if (!answer?.ok) return say(`not found: ${answer?.status ?? "no connection"}`);
  deliver([{ name, bytes: new Uint8Array(await answer.arrayBuffer()) }], 0);
}

miniquad_add_plugin({
  name: "kinescope",
  version: 1,
  register_plugin(imports) {
    Object.assign(imports.env, {
      // Missing in gl.js.
      glDepthMask: (writes) => gl.depthMask(!!writes),
      // The random numbers of the crate `getrandom`; 0 is success.
      __getrandom_v03_custom: (at, length) => {
        // The browser fills at most 64 KiB at once.
        for (let from = 0; from < length; from += 65536) {
          crypto.getRandomValues(view(at + from, Math.min(65536, length - from)));
        }
        return 0;
      },
      // Replaces the scripts of the crates `sapp-jsutils` and `quad-url`, which the program uses only to open links: the
      // last text is the address of the link.
      js_create_string: (at, length) => {
        host.link = textAt(at, length);
        return 0;
      },
      js_free_object: () => {},
      quad_url_link_open: (_, newTab) => {
        if (/^https?:/.test(host.link)) window.open(host.link, newTab ? "_blank" : "_self", "noopener");
      },
      // gl.js writes the clipboard only at the browser's next copy or cut event; this writes it at once.
      sapp_set_clipboard: (at, length) => {
        clipboard = textAt(at, length);
        navigator.clipboard?.writeText(clipboard).catch(() => {});
      },
      kinescope_now: () => performance.now(),
      kinescope_draw_after: drawAfter,
      kinescope_pixel_ratio: dpi_scale,
      kinescope_download: (name, nameLength, at, length) => {
        const file = { name: textAt(name, nameLength), bytes: view(at, length).slice() };
        host.names.push(file.name);
        download(file.name, file.bytes);
        keep([file]);
      },
      kinescope_choose_file: (at, length) => chooseFile(textAt(at, length)),
      kinescope_file: (sizes) => {
        const file = host.files[0];
        if (!file) return 0;
        new Uint32Array(wasm_memory.buffer, sizes, 3).set([file.name.length, file.bytes.length, file.flags]);
        return 1;
      },
      kinescope_take_file: (name, bytes) => {
        const file = host.files.shift();
        view(name, file.name.length).set(file.name);
        view(bytes, file.bytes.length).set(file.bytes);
      },
      kinescope_query: (at, length) => {
        host.text = new TextEncoder().encode(query(textAt(at, length)));
        return host.text.length;
      },
      kinescope_take_text: (at) => view(at, host.text.length).set(host.text),
      kinescope_store: (name, nameLength, at, length) => store(textAt(name, nameLength), textAt(at, length)),
      kinescope_stored: (at, length) => {
        host.text = new TextEncoder().encode(stored(textAt(at, length)));
        return host.text.length;
      },
      kinescope_unsaved: (isUnsaved) => { host.isUnsaved = !!isUnsaved; },
      kinescope_log: (at, length) => console.log(textAt(at, length)),
      kinescope_failed: (at, length) => {
        const text = textAt(at, length);
        console.error(text);
        fail("Kinescope has stopped because of an error in the program.", text);
      },
    });
  },
});

// Replaces the handlers of gl.js, which cut file names that are not ASCII, and which deliver pasted text only after the
// key.
window.addEventListener("drop", async (event) => {
  event.preventDefault();
  event.stopImmediatePropagation();
  deliver(await read(event.dataTransfer.files), 0);
}, true);
window.addEventListener("paste", (event) => {
  event.preventDefault();
  event.stopImmediatePropagation();
  const bytes = new TextEncoder().encode(event.clipboardData.getData("text"));
  const at = wasm_exports.allocate_vec_u8(bytes.length);
  view(at, bytes.length).set(bytes);
  wasm_exports.on_clipboard_paste(at, bytes.length);
  wasm_exports.key_down(into_sapp_keycode("KeyV"), SAPP_MODIFIER_CTRL, false);
}, true);

// Keeps the browser from acting on Alt, and on shortcuts with Ctrl or Meta except those of the clipboard. Ctrl+N, Ctrl+T
// and Ctrl+W stay with the browser: pages cannot take them.
window.addEventListener("keydown", (event) => {
  const isClipboard = ["c", "v", "x"].includes(event.key.toLowerCase());
  if ((event.ctrlKey || event.metaKey) && !isClipboard && event.target === canvas) event.preventDefault();
  if (event.key === "Alt") event.preventDefault();
  // The paste event above sends this key after the text.
  if (event.ctrlKey && event.code === "KeyV") event.stopImmediatePropagation();
}, true);
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
canvas.addEventListener("mousedown", () => canvas.focus());
// A drag may leave the canvas, and end outside of it.
canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));

// Translates touch to mouse events, because the interface knows no touch. One finger is the left button; two fingers are the
// right button, and their distance is the wheel; three or more fingers are the middle button. With the default navigation
// preset the right button orbits and the middle button pans.
const touch = { fingers: 0, x: 0, y: 0, spread: 0, button: null, pressAt: null, timer: null };
// The first finger presses the button only after it stayed this long (milliseconds), moved this far (pixels) or lifted,
// because a second finger may follow.
const ONE_FINGER_WAITS = 80;
const ONE_FINGER_MOVES = 6;
function press(button, [x, y]) {
  clearTimeout(touch.timer);
  touch.pressAt = null;
  touch.button = button;
  wasm_exports.mouse_move(x, y);
  wasm_exports.mouse_down(x, y, button);
}
function touched(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
  const places = Array.from(event.touches, (one) => mouse_relative_position(one.clientX, one.clientY));
  const fingers = Math.min(places.length, 3);
  const middle = (axis) => Math.floor(places.slice(0, fingers).reduce((sum, place) => sum + place[axis], 0) / fingers);
  const spread = fingers === 2 ? Math.hypot(places[0].x - places[1].x, places[0].y - places[1].y) : 0;
  if (fingers > 0) [touch.x, touch.y] = [middle("x"), middle("y")];
  if (touch.pressAt && fingers <= 1) {
    const moved = Math.hypot(touch.x - touch.pressAt[0], touch.y - touch.pressAt[1]);
    if (fingers === 0 || moved > ONE_FINGER_MOVES) press(0, touch.pressAt);
  }
  if (fingers !== touch.fingers && touch.button !== null) {
    wasm_exports.mouse_up(touch.x, touch.y, touch.button);
    touch.button = null;
  }
  if (touch.button !== null) wasm_exports.mouse_move(touch.x, touch.y);
  if (fingers === 1 && touch.fingers === 0) {
    const at = [touch.x, touch.y];
    touch.pressAt = at;
    touch.timer = setTimeout(() => press(0, at), ONE_FINGER_WAITS);
  } else if (fingers > touch.fingers) {
    // miniquad numbers the buttons left 0, right 1, middle 2.
    press(fingers - 1, [touch.x, touch.y]);
    touch.spread = spread;
  } else if (fingers === 2 && Math.abs(spread - touch.spread) > 24) {
    wasm_exports.mouse_wheel(0, spread > touch.spread ? 100 : -100);
    touch.spread = spread;
  }
  touch.fingers = fingers;
}
for (const kind of ["touchstart", "touchmove", "touchend", "touchcancel"]) {
  canvas.addEventListener(kind, touched, { capture: true, passive: false });
}

// gl.js asks for no frame after these events.
for (const kind of ["resize", "focus", "visibilitychange"]) {
  window.addEventListener(kind, () => wasm_exports && importObject.env.sapp_schedule_update());
}
// A window that moves to a screen of another density may get no event `resize`, so each frame looks at the density, and a change
// asks for a frame.
let density = window.devicePixelRatio;
const drawFrame = animation;
animation = () => {
  if (density !== window.devicePixelRatio) {
    density = window.devicePixelRatio;
    resize(canvas, wasm_exports.resize);
  }
  drawFrame();
};
function followDensity() {
  matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener("change", () => {
    if (wasm_exports) importObject.env.sapp_schedule_update();
    followDensity();
  }, { once: true });
}
followDensity();
window.addEventListener("hashchange", () => {
  host.hash = location.hash;
  if (wasm_exports) importObject.env.sapp_schedule_update();
});
window.addEventListener("beforeunload", (event) => {
  if (host.isUnsaved) event.preventDefault();
});
window.addEventListener("error", (event) => {
  if (event.error instanceof WebAssembly.RuntimeError) {
    fail("Kinescope has stopped because of an error in the program.", event.error.stack);
  }
});
canvas.addEventListener("webglcontextlost", () => {
  fail("The browser has taken the graphics away from this page, as it does when memory runs out.");
});

async function loadProgram() {
  const answer = await fetch("kinescope.wasm");
  if (!answer.ok) throw new Error(`kinescope.wasm: ${answer.status} ${answer.statusText}`);
  // If the server compresses the file, `content-length` is the compressed size, but the parts read are not compressed.
  const size = answer.headers.get("content-encoding") ? 0 : Number(answer.headers.get("content-length"));
  let count = 0;
  const counted = new TransformStream({
    transform(part, into) {
      count += part.length;
      element("message").textContent = `Loading Kinescope… ${(count / 1e6).toFixed(1)} MB`;
      if (size) element("progress").value = count / size;
      into.enqueue(part);
    },
  });
  const headers = { "content-type": "application/wasm" };
  return WebAssembly.compileStreaming(new Response(answer.body.pipeThrough(counted), { headers }));
}

async function start() {
  const probe = document.createElement("canvas").getContext("webgl");
  if (!probe?.getExtension("OES_vertex_array_object")) {
    return fail("Kinescope needs WebGL, which this browser does not offer here. Switch on hardware acceleration in its "
      + "settings, or use another browser.");
  }
  const info = probe.getExtension("WEBGL_debug_renderer_info");
  const renderer = probe.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : probe.RENDERER);
  probe.getExtension("WEBGL_lose_context")?.loseContext();
  // gl.js gets the same context. As in the desktop program's window, a software renderer takes one sample per pixel.
  const isSoftware = /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer);
  canvas.getContext("webgl", { alpha: false, antialias: !isSoftware });
  const module = await loadProgram();
  register_plugins(plugins);
  add_missing_functions_stabs(module);
  const instance = await WebAssembly.instantiate(module, importObject);
  wasm_memory = instance.exports.memory;
  wasm_exports = instance.exports;
  instance.exports.main();
  if (host.hasFailed) return;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    if (host.hasFailed) return;
    element("status").hidden = true;
    performance.mark("first picture");
  }));
  await deliverKept();
  await openAddress();
}

start().catch((error) => {
  console.error(error);
  fail("Kinescope could not be loaded.", String(error?.stack ?? error));
});
