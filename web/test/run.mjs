// Drives the page of target/web in Chromium: `web/build && npm ci --prefix web && node web/test/run.mjs`.
// Screenshots of failed tests, or of all with PICTURES=1, are in target/web-test.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { Browser, until } from "./browser.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");
const pictures = join(target, "web-test");
const [width, height] = [1280, 800];
/** The bit of the Ctrl key in the DevTools protocol. */
const CTRL = 2;
const MODEL = join(root, "assets/faun.glb");
const CAPSULE = join(root, "crates/kinescope-ik/tests/golden/reach-with-twist.capsule.json");

/** Pixel positions: the first lesson of the list, *Next* of a lesson, and the first bar of the row of moves. */
const [FIRST_LESSON, NEXT, FIRST_MOVE] = [[990, 160], [1233, 139], [111, 765]];
/** Pixel positions: *Book* in a lesson, *Cancel* beside the name of the file that opens. */
const [BOOK, CANCEL_OPENING] = [[1016, 139], [879, 575]];
/** Pixel positions: the menu *File*, its row *Recent models*, and the first model beside that row. */
const [FILE_MENU, RECENT_MODELS, NEWEST_MODEL] = [[101, 14], [152, 425], [360, 425]];
/** Pixel positions in the pane *Sweep*: *Over the whole recording*, *Run sweep*, and *Cancel work* beside it while a sweep runs. */
const [WHOLE_RECORDING, RUN_SWEEP, CANCEL_SWEEP] = [[948, 205], [980, 230], [1075, 230]];
/** The desktop program, which writes and checks the conformance kit: KINESCOPE, or the first build found below `target`. */
const NATIVE = process.env.KINESCOPE ?? ["debug", "release"].map((profile) => join(target, profile, "kinescope")).find(existsSync);

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Serves the page, and the model and the capsule beside it. */
const server = createServer((request, answer) => {
  const path = new URL(request.url, "http://page").pathname;
  const extra = { "/faun.glb": MODEL, "/capsule.json": CAPSULE }[path];
  // The published site has the program in this folder.
  const own = path.replace(/^\/try\//, "/");
  const file = extra ?? join(target, "web", own === "/" ? "index.html" : own.slice(1));
  try {
    const bytes = readFileSync(file);
    answer.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "content-length": bytes.length });
    answer.end(bytes);
  } catch {
    answer.writeHead(404).end();
  }
});

let browser;
let origin;

before(async () => {
  await new Promise((listens) => server.listen(0, "127.0.0.1", listens));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await Browser.start(width, height);
  await browser.allowClipboard(origin);
});

after(async () => {
  await browser?.stop();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

/** Opens the page, waits for its first picture or its failure, and runs a test on it. A failed test leaves a picture. */
function on(name, address, run, script) {
  test(name, async () => {
    const page = await browser.open(`${origin}/${address}`, width, height, script);
    try {
      const shown = "performance.getEntriesByName('first picture')[0]?.startTime ?? host.hasFailed";
      page.shownAfter = await until("the first picture", () => page.evaluate(`typeof host === "undefined" ? 0 : ${shown}`));
      await run(page);
      assert.deepEqual(page.errors, []);
      if (process.env.PICTURES) {
        mkdirSync(pictures, { recursive: true });
        writeFileSync(join(pictures, `${name}.png`), await page.picture());
      }
    } catch (error) {
      mkdirSync(pictures, { recursive: true });
      const file = join(pictures, `${name}.png`);
      writeFileSync(file, await page.picture());
      const message = await page.evaluate("document.getElementById('status')?.innerText");
      throw new Error(`${error.message}\n${page.errors.join("\n")}\n${message}\nSee ${file}`, { cause: error });
    } finally {
      await page.close();
    }
  });
}

const hand = (state) => state?.handles?.left_hand;

on("opens with the built-in character", "?log=1", async (page) => {
  await until("the character's handles", () => hand(page.state));
  console.log(`first picture after ${Math.round(page.shownAfter)} ms`);
});

on("drags a hand and steps through the solve", "?log=1", async (page) => {
  const start = structuredClone(hand(await until("the character", () => hand(page.state) && page.state)));
  await page.drag(start.screen, [start.screen[0] + 60, start.screen[1] - 80]);
  const moved = () => Math.hypot(...[0, 1, 2].map((axis) => hand(page.state).position[axis] - start.position[axis]));
  await until("the hand to follow the drag", () => moved() > 0.05);
  await until("the document to be unsaved", () => page.state.unsaved);

  await page.key("Home", "Home");
  const at = async (what, test) => structuredClone((await until(what, () => test(page.state.cursor) && page.state)).cursor);
  const first = await at("the solve's start", () => page.state.paused || !page.state.live);
  await page.key(".", "Period");
  await at("the next step", (cursor) => JSON.stringify(cursor) !== JSON.stringify(first));
  await page.key(",", "Comma");
  await at("the step before", (cursor) => JSON.stringify(cursor) === JSON.stringify(first));
});

on("downloads a saved preset", "?log=1", async (page) => {
  const start = structuredClone(hand(await until("the character", () => hand(page.state) && page.state)));
  await page.drag(start.screen, [start.screen[0] + 40, start.screen[1] - 60]);
  await until("the document to be unsaved", () => page.state.unsaved);
  const folder = mkdtempSync(join(tmpdir(), "kinescope-downloads-"));
  await browser.saveDownloads(page, folder);
  await page.key("s", "KeyS", CTRL);
  const file = await until("the download", () => readdirSync(folder).find((name) => name.endsWith(".json")));
  const preset = JSON.parse(readFileSync(join(folder, file), "utf8"));
  rmSync(folder, { recursive: true });
  assert.equal(preset.format, "kinescope-preset");
  assert.equal(page.state.unsaved, false);
});

on("copies and pastes a pose", "?log=1", async (page) => {
  const start = structuredClone(hand(await until("the character", () => hand(page.state) && page.state)));
  await page.drag(start.screen, [start.screen[0] + 40, start.screen[1] - 60]);
  await until("the document to be unsaved", () => page.state.unsaved);
  const posed = structuredClone(hand(page.state).position);
  await page.key("c", "KeyC", CTRL);
  const text = await until("the text", () => page.evaluate("clipboard"));
  assert.ok(JSON.parse(text));
  await page.key("z", "KeyZ", CTRL);
  await until("the pose to be undone", () => !page.state.unsaved);
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), text);
  await page.paste();
  await until("the pose", () => [0, 1, 2].every((axis) => Math.abs(hand(page.state).position[axis] - posed[axis]) < 1e-4));
});

on("copies a link that shows the same pose", "?log=1", async (page) => {
  const start = structuredClone(hand(await until("the character", () => hand(page.state) && page.state)));
  await page.drag(start.screen, [start.screen[0] + 40, start.screen[1] - 60]);
  await until("the document to be unsaved", () => page.state.unsaved);
  const posed = structuredClone(hand(page.state).position);
  await page.command("copylink");
  const link = await until("the link", () => page.evaluate("clipboard"));
  assert.ok(link.startsWith(`${origin}/#c=`), link);

  const other = await browser.open(link.replace("/#", "/?log=1#"), width, height);
  await until("the pose in another page", () => {
    const position = hand(other.state)?.position;
    return position && [0, 1, 2].every((axis) => Math.abs(position[axis] - posed[axis]) < 1e-5);
  });
  assert.deepEqual(other.errors, []);
  await other.close();
});

on("refuses a link that holds nothing", "?log=1#c=AAAA", async (page) => {
  await until("the message", () => page.state?.message?.startsWith("Could not open the link"));
  assert.ok(hand(page.state));
});

const inLesson = (state, key, step, done) => {
  return state?.lesson?.key === key && state.lesson.step === step && state.lesson.done === done;
};

on("does a lesson", "?log=1", async (page) => {
  await until("the character", () => hand(page.state));
  await page.command("learn");
  await page.click(FIRST_LESSON);
  await until("the lesson", () => inLesson(page.state, "node", 1, false));
  const next = async (step) => {
    await page.click(NEXT);
    await until(`step ${step}`, () => inLesson(page.state, "node", step, false));
    // Keys go to the 3D view while the pointer is over it.
    await page.mouse("mouseMoved", [600, 560], { button: "none" });
  };
  await next(2);
  await page.keyUntil("Home", "Home", "the first task", () => inLesson(page.state, "node", 2, true));
  await next(3);
  await page.keyUntil(".", "Period", "the second task", () => inLesson(page.state, "node", 3, true));
  await next(4);
  await page.click(FIRST_MOVE);
  await until("the third task", () => inLesson(page.state, "node", 4, true));
  await next(5);
  await next(6);
  const [from, shoulder] = ["left_hand", "left_shoulder"].map((name) => page.state.handles[name].screen);
  await page.drag(from, [shoulder[0] + 40, (from[1] + 2 * shoulder[1]) / 3]);
  await until("the last task", () => inLesson(page.state, "node", 6, true));
});

on("opens a lesson of its address at a step", "?log=1&lesson=stage2:3", async (page) => {
  await until("the lesson", () => inLesson(page.state, "stage2", 3, false));
  assert.deepEqual(page.state.cursor, { layer: "full_body", stage: "stage2", iteration: 0, move: null });
});

on("opens and names the lesson of its address that does not exist", "?log=1&lesson=nothing", async (page) => {
  await until("the message", () => page.state?.message?.startsWith("lesson: there is no lesson or step"));
  assert.ok(hand(page.state));
});

on("keeps layout, lessons and recent files for the next visit", "?log=1", async (page) => {
  await until("the character", () => hand(page.state));
  const kept = (name) => page.evaluate(`localStorage.getItem("kinescope/${name}.json")`);
  const usual = await until("the first layout", () => kept("layout"));
  await page.command("learn");
  await page.click(FIRST_LESSON);
  await until("the lesson", () => inLesson(page.state, "node", 1, false));
  await page.click(NEXT);
  await until("the second step", () => inLesson(page.state, "node", 2, false));
  await page.drop([MODEL], [width / 2, height / 2]);
  await until("the model", () => page.state.message?.startsWith("faun.glb"));
  await until("the layout", async () => (await kept("layout")) !== usual);
  await until("the recent file", async () => JSON.parse(await kept("recent"))?.models[0] === "/faun.glb");
  await until("the file itself", () => page.evaluate("inStore((store) => store.count())"));
  const lessons = await kept("lessons");

  page.state = null;
  await page.send("Page.reload");
  await until("the page again", () => hand(page.state));
  assert.equal(await kept("lessons"), lessons);
  // The pane is still open, and the lesson goes on where it was left.
  await page.click(FIRST_LESSON);
  await until("the lesson", () => inLesson(page.state, "node", 2, false));
  await until("the model", async () => {
    await page.click(FILE_MENU);
    await page.frames(4);
    await page.mouse("mouseMoved", RECENT_MODELS, { button: "none" });
    await page.frames(4);
    await page.click(NEWEST_MODEL);
    await page.frames(12);
    return page.state.message?.startsWith("faun.glb");
  });
});

/** Stores the longest time between two frames in `host.longest`, milliseconds. */
const MEASURE_FRAMES = `(() => {
  host.longest = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    host.longest = Math.max(host.longest, now - last);
    last = now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

on("draws while it computes", "?log=1", async (page) => {
  const start = hand(await until("the character", () => hand(page.state) && page.state));
  await page.click(start.screen);
  await until("the selection", () => page.state.selected === "left_hand");
  const progress = [];
  page.onState = (state) => { if (state.job !== null) progress.push([state.job, state.frame]); };
  await page.evaluate(MEASURE_FRAMES);
  // Without throttling, a fast machine computes the volume in fewer slices than the test counts.
  await page.send("Emulation.setCPUThrottlingRate", { rate: 16 });
  await page.key("v", "KeyV");
  await until("the volume", () => page.state.message?.includes("targets") && page.state.job === null);
  const between = progress.filter(([done]) => done > 0 && done < 1);
  console.log(`at a sixteenth of the speed: reachable volume in ${between.length} slices, longest frame ${Math.round(await page.evaluate("host.longest"))} ms`);
  assert.ok(between.length >= 2, JSON.stringify(progress));
  assert.ok(between.every(([done, frame], index) => index === 0 || (done > between[index - 1][0] && frame > between[index - 1][1])));
});

on("cancels a sweep", "?log=1&scene=walk+with+hands+pinned", async (page) => {
  await until("the character", () => hand(page.state));
  await page.command("sweep");
  await until("the pane", () => !page.state.dialog);
  await page.frames(8);
  await page.click(WHOLE_RECORDING);
  await until("a recording", () => page.state.tape.frame >= 100);
  const progress = [];
  page.onState = (state) => { if (state.job !== null) progress.push(state.job); };
  await page.clickAfter("(state) => state.job > 0", CANCEL_SWEEP);
  await page.click(RUN_SWEEP);
  await until("the sweep to run", () => progress.some((done) => done > 0));
  await until("the end", () => page.state.job === null);
  assert.ok(progress.at(-1) <= 0.9, `cancelled at ${progress.at(-1)}`);
  // The work does not go on.
  const count = progress.length;
  await page.frames(10);
  assert.equal(progress.length, count);
});

/** Solves a trace's rig and parameters in the page, and returns the solved trace as text. */
async function solvedInPage(page, text) {
  return page.evaluate(`(() => {
    const text = new TextEncoder().encode(${JSON.stringify(text)});
    const at = wasm_exports.allocate_vec_u8(text.length);
    view(at, text.length).set(text);
    const answer = wasm_exports.kinescope_solved_trace(at, text.length);
    return textAt(answer + 4, new DataView(wasm_memory.buffer).getUint32(answer, true));
  })()`);
}

on("solves the conformance cases as the installed program, twice the same", "", async (page) => {
  assert.ok(NATIVE, "run `cargo build` first, or set KINESCOPE to the program");
  const run = (...arguments_) => new Promise((ended, failed) => {
    execFile(NATIVE, ["conformance", ...arguments_], (error, out, log) => (error ? failed(new Error(`${error.message}${out}${log}`)) : ended(out)));
  });
  const folder = mkdtempSync(join(tmpdir(), "kinescope-conformance-"));
  const [cases, answers] = ["cases", "answers"].map((name) => join(folder, name));
  try {
    await run("--out", cases);
    mkdirSync(answers);
    const files = readdirSync(cases).filter((name) => name.endsWith(".json"));
    assert.ok(files.length >= 69);
    const given = Object.fromEntries(files.map((name) => [name, readFileSync(join(cases, name), "utf8")]));
    const first = {};
    for (const name of files) first[name] = await solvedInPage(page, given[name]);
    for (const name of files) writeFileSync(join(answers, name), first[name]);
    // The program's check ignores differences by rounding, so the largest difference is also measured.
    const verdict = await run("--check", answers);
    assert.match(verdict, new RegExp(`^${files.length} of ${files.length} cases agree$`, "m"));
    const apart = files.map((name) => [furthest(JSON.parse(given[name]).result, JSON.parse(first[name]).result), name]);
    const most = apart.reduce((a, b) => (b[0] > a[0] ? b : a));
    console.log(`largest difference ${most[0]} in ${most[1]}`);
    assert.ok(most[0] < 1e-5, JSON.stringify(apart));

    const other = await browser.open(`${origin}/`, width, height);
    await until("another page", () => other.evaluate("typeof host === 'undefined' ? 0 : performance.getEntriesByName('first picture').length"));
    for (const name of files) assert.ok((await solvedInPage(other, given[name])) === first[name], `${name} differs between two runs`);
    await other.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Returns the largest difference between numbers at the same place in two JSON values; infinity for other differences. */
function furthest(a, b) {
  if (typeof a === "number") return Math.abs(a - b);
  if (a === null || typeof a !== "object") return a === b ? 0 : Infinity;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return Infinity;
  return Math.max(0, ...keys.map((key) => furthest(a[key], b[key])));
}

on("zooms by the wheel", "?log=1", async (page) => {
  const height = (state) => state.handles.left_foot.screen[1] - state.handles.left_shoulder.screen[1];
  const before = height(await until("the character", () => hand(page.state) && page.state));
  await page.mouse("mouseMoved", [300, 250], { button: "none" });
  await page.mouse("mouseWheel", [300, 250], { button: "none", deltaX: 0, deltaY: -300 });
  await until("a larger character", () => height(page.state) > before * 1.02);
});

on("is operated by touch", "?log=1", async (page) => {
  const start = structuredClone(hand(await until("the character", () => hand(page.state) && page.state)));
  const [x, y] = start.screen;
  await page.touch("touchStart", [[x, y]]);
  for (let step = 1; step <= 5; step += 1) await page.touch("touchMove", [[x + 10 * step, y - 10 * step]]);
  await page.touch("touchEnd", []);
  await until("the hand to follow the finger", () => page.state.unsaved && hand(page.state).position[1] > start.position[1] + 0.05);
  const turned = structuredClone(hand(page.state));
  // Two fingers turn the view.
  const [a, b] = [[300, 250], [380, 250]];
  await page.touch("touchStart", [a, b]);
  for (let step = 1; step <= 5; step += 1) await page.touch("touchMove", [a, b].map(([x, y]) => [x + 12 * step, y]));
  await page.touch("touchEnd", []);
  await until("the view to turn", () => Math.abs(hand(page.state).screen[0] - turned.screen[0]) > 10);
  assert.deepEqual(hand(page.state).position, turned.position);
  // Two fingers that move apart zoom.
  const height = (state) => state.handles.left_foot.screen[1] - state.handles.left_shoulder.screen[1];
  const before = height(page.state);
  await page.touch("touchStart", [a, b]);
  for (let step = 1; step <= 10; step += 1) {
    await page.touch("touchMove", [[a[0] - 8 * step, a[1]], [b[0] + 8 * step, b[1]]]);
    // A frame zooms by one step.
    await page.frames(1);
  }
  await page.touch("touchEnd", []);
  await until("a larger character", () => height(page.state) > before * 1.1);
  assert.deepEqual(hand(page.state).position, turned.position);
});

on("draws again after a change of size", "?log=1", async (page) => {
  const start = structuredClone(hand(await until("the character", () => hand(page.state) && page.state)));
  await page.send("Emulation.setDeviceMetricsOverride", { width: 1000, height: 640, deviceScaleFactor: 1, mobile: false });
  await until("another picture", () => hand(page.state).screen[1] !== start.screen[1]);
});

on("follows a change of the pixel ratio", "?log=1", async (page) => {
  const start = structuredClone(hand(await until("the character", () => hand(page.state) && page.state)));
  const set = (deviceScaleFactor) => page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor, mobile: false });
  // The window moves to denser screens and back.
  for (const ratio of [1.5, 2, 1.25, 1]) {
    await set(ratio);
    // The emulation sends no event, so the pointer asks for a frame.
    await page.mouse("mouseMoved", [300 + ratio, 250], { button: "none" });
    const apart = () => start.screen.map((at, axis) => Math.abs(hand(page.state).screen[axis] - ratio * at));
    const size = () => page.evaluate("String([canvas.width, canvas.height])");
    await until(`a canvas at a ratio of ${ratio}`, async () => (await size()) === String([ratio * width, ratio * height]));
    await page.frames(8);
    await until(`the picture at a ratio of ${ratio}`, () => Math.max(...apart()) <= 4);
  }
});

/** Makes the clocks of a page adjustable: `late` milliseconds are added. */
const LATE = `
  window.late = 0;
  const [date, clock] = [Date.now, performance.now.bind(performance)];
  Date.now = () => date() + late;
  performance.now = () => clock() + late;
`;

/** Hides a page behind another one, and shows it after `seconds` of its own clocks. */
async function hide(page, seconds, meanwhile) {
  const other = await browser.open("about:blank", width, height);
  await until("the page to be hidden", () => page.evaluate("document.hidden"));
  await meanwhile?.();
  await page.evaluate(`late += ${1000 * seconds}`);
  await other.close();
  await page.send("Page.bringToFront");
  await until("the page to be shown", () => page.evaluate("!document.hidden"));
}

on("plays on without a jump after a minute in the background", "?log=1&scene=additive+lean", async (page) => {
  await until("the clip", () => page.state?.clip_time > 0);
  await page.frames(8);
  const frames = [];
  let hidden;
  await hide(page, 60, async () => {
    const at = page.state.frame;
    await new Promise((passed) => setTimeout(passed, 500));
    hidden = page.state;
    assert.ok(hidden.frame <= at + 1, "a hidden page draws");
    page.onState = (state) => frames.push([state.frame, state.clip_time]);
  });
  await until("frames", () => frames.length >= 4);
  const [first, time] = frames[0];
  assert.ok(first <= hidden.frame + 2, `${first} after ${hidden.frame}`);
  // The clip starts over after its last frame, so the step may be negative.
  const step = time - hidden.clip_time;
  assert.ok(step < 0.3, `${hidden.clip_time} to ${time}`);
}, LATE);

on("pauses work in the background and continues it", "?log=1", async (page) => {
  const start = hand(await until("the character", () => hand(page.state) && page.state));
  await page.click(start.screen);
  await until("the selection", () => page.state.selected === "left_hand");
  await page.send("Emulation.setCPUThrottlingRate", { rate: 16 });
  await page.key("v", "KeyV");
  await until("the work", () => page.state.job > 0);
  await hide(page, 60, async () => {
    const done = page.state.job;
    await new Promise((passed) => setTimeout(passed, 500));
    assert.ok(done !== null && page.state.job === done, `${done} to ${page.state.job}`);
  });
  await page.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await until("the volume", () => page.state.message?.includes("targets") && page.state.job === null);
}, LATE);

on("is sharp on a screen of twice the density", "?log=1", async (page) => {
  await until("the character", () => hand(page.state));
  await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 2, mobile: false });
  await page.evaluate("window.isOld = true");
  await page.send("Page.reload");
  const isNew = "!window.isOld && performance.getEntriesByName('first picture').length > 0";
  await until("the new page", () => page.evaluate(isNew).catch(() => false));
  // Positions in the state are pixels of the canvas, and positions of the mouse are CSS pixels.
  await until("the panes in their size", () => hand(page.state)?.screen[0] > width);
  assert.deepEqual(await page.evaluate("[canvas.width, canvas.height]"), [2 * width, 2 * height]);
  const start = structuredClone(hand(page.state));
  const [x, y] = start.screen.map((at) => at / 2);
  await page.drag([x, y], [x + 40, y - 60]);
  await until("the hand to follow the drag", () => hand(page.state).position[1] > start.position[1] + 0.05);
});

on("opens a dropped model", "?log=1", async (page) => {
  await until("the character", () => hand(page.state));
  await page.drop([MODEL], [width / 2, height / 2]);
  await until("the model", () => page.state.message?.startsWith("faun.glb"));
});

/** Returns the CRC-32 that ends a chunk of a PNG image. */
function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

/** Returns a square PNG image of this many pixels across, with a pattern that compresses badly. */
function png(across) {
  const chunk = (name, data) => {
    const [body, length, check] = [Buffer.concat([Buffer.from(name), data]), Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(across, 0);
  head.writeUInt32BE(across, 4);
  head.set([8, 6], 8);
  const rows = Buffer.alloc(across * (1 + 4 * across), (at) => at);
  for (let at = 0; at < rows.length; at += 1) rows[at] = at % (1 + 4 * across) === 0 ? 0 : (at * at) >> 7;
  const parts = [chunk("IHDR", head), chunk("IDAT", deflateSync(rows, { level: 1 })), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), ...parts]);
}

/** Writes a model with a texture of 2048 × 2048 pixels, and returns its file. */
function texturedModel(folder) {
  const glb = readFileSync(MODEL);
  const length = glb.readUInt32LE(12);
  const document = JSON.parse(glb.subarray(20, 20 + length));
  const image = png(2048);
  const [text, bytes] = [[], Buffer.concat([glb.subarray(28 + length), image, Buffer.alloc(-image.length & 3)])];
  document.bufferViews.push({ buffer: 0, byteOffset: bytes.length - image.length - (-image.length & 3), byteLength: image.length });
  document.buffers[0].byteLength = bytes.length;
  document.images = [{ bufferView: document.bufferViews.length - 1, mimeType: "image/png" }];
  document.textures = [{ source: 0 }];
  for (const material of document.materials) material.pbrMetallicRoughness = { baseColorTexture: { index: 0 } };
  text.push(Buffer.from(JSON.stringify(document)));
  text.push(Buffer.alloc(-text[0].length & 3, 32));
  const part = (kind, data) => {
    const header = Buffer.alloc(8);
    header.writeUInt32LE(data.length);
    header.write(kind, 4);
    return Buffer.concat([header, data]);
  };
  const parts = Buffer.concat([part("JSON", Buffer.concat(text)), part("BIN\0", bytes)]);
  const header = Buffer.from(glb.subarray(0, 12));
  header.writeUInt32LE(12 + parts.length, 8);
  const file = join(folder, "textured.glb");
  writeFileSync(file, Buffer.concat([header, parts]));
  return file;
}

on("opens a large model between frames, and cancels it", "?log=1", async (page) => {
  await until("the character", () => hand(page.state));
  const folder = mkdtempSync(join(tmpdir(), "kinescope-model-"));
  const model = texturedModel(folder);
  const progress = [];
  page.onState = (state) => { if (state.job !== null) progress.push([state.job, state.frame]); };
  await page.evaluate(MEASURE_FRAMES);
  // Without throttling, a fast machine opens the model in fewer slices than the test counts.
  await page.send("Emulation.setCPUThrottlingRate", { rate: 12 });
  await page.drop([model], [width / 2, height / 2]);
  await until("the model", () => page.state.message?.startsWith("textured.glb"));
  const parts = progress.filter(([done]) => done > 0 && done < 1);
  console.log(`at a twelfth of the speed: model in ${parts.length} slices, longest frame ${Math.round(await page.evaluate("host.longest"))} ms`);
  assert.ok(parts.length >= 3, JSON.stringify(progress));
  assert.ok(parts.every(([done, frame], index) => index === 0 || (done >= parts[index - 1][0] && frame > parts[index - 1][1])));

  await page.send("Emulation.setCPUThrottlingRate", { rate: 24 });
  const isCancelled = () => page.state.message?.startsWith("Cancelled opening textured.glb");
  // On a busy machine the click can come after the last slice. Then the model is open and is dropped again.
  for (let tries = 0; !isCancelled(); tries++) {
    assert.ok(tries < 8, page.state.message);
    progress.length = 0;
    await page.drop([model], [width / 2, height / 2]);
    await until("the model to open", () => progress.some(([done]) => done > 0));
    await page.click(CANCEL_OPENING);
    await until("the end of opening", () => page.state.job === null);
  }
  await page.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  rmSync(folder, { recursive: true });
});

on("opens the book of its site", "try/?log=1&lesson=push", async (page) => {
  await until("the lesson", () => page.state?.lesson?.key === "push");
  await page.frames(8);
  await page.click(BOOK);
  const book = () => browser.pages().then((pages) => pages.find((other) => other.url === `${origin}/algorithm/push.html`));
  await browser.shut(await until("the book's page", book));
});

on("says what is missing without WebGL", "", async (page) => {
  const text = await page.evaluate("document.getElementById('message').innerText");
  assert.match(text, /needs WebGL/);
}, "HTMLCanvasElement.prototype.getContext = () => null;");

on("opens a dropped capsule", "?log=1", async (page) => {
  await until("the character", () => hand(page.state));
  await page.drop([CAPSULE], [width / 2, height / 2]);
  await until("the capsule", () => page.state.paused && page.state.message?.startsWith("reach with twist"));
});

on("opens a file of its address", "?log=1&url=faun.glb", async (page) => {
  await until("the model", () => page.state?.message?.startsWith("faun.glb"));
});

on("says that a file of another site is not opened", "?log=1&url=https://example.com/a.glb", async (page) => {
  await until("the message", () => page.state?.message?.includes("another site"));
});
