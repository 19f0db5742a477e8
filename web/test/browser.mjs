// A headless Chromium, driven through its DevTools protocol.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import WebSocket from "ws";

/** How long a test waits for a condition, milliseconds. Machines without a graphics card need seconds for a frame. */
const LONGEST = 120_000;

/** Calls `find` until its result is truthy and returns that; after `LONGEST` throws an error that names `what`. */
export async function until(what, find) {
  const end = Date.now() + LONGEST;
  for (;;) {
    const found = await find();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await pause(20);
  }
}

export class Browser {
  /** Starts Chromium with a window of this size, in pixels. */
  static async start(width, height) {
    const folder = mkdtempSync(join(tmpdir(), "kinescope-web-"));
    const browser = new Browser();
    browser.folder = folder;
    const program = process.env.CHROMIUM ?? "chromium";
    browser.process = spawn(program, [
      "--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic",
      "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--disable-dev-shm-usage", "--remote-debugging-port=0", `--user-data-dir=${folder}`, `--window-size=${width},${height}`,
      "about:blank",
    ], { stdio: "ignore" });
    browser.process.on("error", (error) => { throw new Error(`${program}: ${error.message}`); });
    // The listener is added here, because `stop` would miss an earlier exit.
    browser.ended = new Promise((ended) => { browser.process.on("exit", ended); });
    const file = join(folder, "DevToolsActivePort");
    const text = () => (existsSync(file) ? readFileSync(file, "utf8") : "");
    browser.port = await until("Chromium", () => text().includes("\n") && text().split("\n")[0]);
    return browser;
  }

  /** Opens an address in a new page, in which `script` runs before the page's own scripts. */
  async open(address, width, height, script = "") {
    const answer = await fetch(`http://127.0.0.1:${this.port}/json/new?about:blank`, { method: "PUT" });
    const page = new Page((await answer.json()).webSocketDebuggerUrl);
    await page.connected;
    for (const domain of ["Page", "Runtime", "Log"]) await page.send(`${domain}.enable`);
    await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    // Removes what the pages of earlier tests stored.
    if (address.startsWith("http")) await page.send("Storage.clearDataForOrigin", { origin: new URL(address).origin, storageTypes: "all" });
    await page.send("Page.addScriptToEvaluateOnNewDocument", { source: script });
    await page.send("Page.navigate", { url: address });
    return page;
  }

  /** Lets pages of an origin read and write the clipboard. */
  async allowClipboard(origin) {
    const answer = await fetch(`http://127.0.0.1:${this.port}/json/version`);
    const all = new Page((await answer.json()).webSocketDebuggerUrl);
    await all.connected;
    await all.send("Browser.grantPermissions", { origin, permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"] });
    this.all = all;
  }

  /** Saves downloads in a folder without asking. */
  async saveDownloads(page, folder) {
    await page.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
  }

  /** Returns the descriptions of all pages, with `id` and `url`. */
  async pages() {
    return (await fetch(`http://127.0.0.1:${this.port}/json/list`)).json();
  }

  async shut({ id }) {
    await fetch(`http://127.0.0.1:${this.port}/json/close/${id}`);
  }

  async stop() {
    this.all?.socket.close();
    this.process.kill();
    await this.ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

export class Page {
  constructor(address) {
    this.socket = new WebSocket(address);
    this.connected = new Promise((resolve, reject) => this.socket.on("open", resolve).on("error", reject));
    this.answers = new Map();
    this.count = 0;
    /** Errors and warnings of the console, errors of the browser's log, and uncaught exceptions. */
    this.errors = [];
    /** The newest state that the program logged, parsed. */
    this.state = null;
    /** Called with each state that the program logs. */
    this.onState = null;
    this.socket.on("message", (text) => this.#take(JSON.parse(text)));
  }

  #take({ id, result, error, method, params }) {
    if (id) {
      const [resolve, reject] = this.answers.get(id);
      this.answers.delete(id);
      return error ? reject(new Error(error.message)) : resolve(result);
    }
    if (method === "Runtime.exceptionThrown") this.errors.push(params.exceptionDetails.exception?.description ?? "?");
    if (method === "Log.entryAdded" && params.entry.level === "error") this.errors.push(params.entry.text);
    if (method !== "Runtime.consoleAPICalled") return undefined;
    const text = params.args.map((value) => value.value ?? value.description).join(" ");
    if (params.type === "error" || params.type === "warning") this.errors.push(text);
    if (text.startsWith('{"')) {
      this.state = JSON.parse(text);
      this.onState?.(this.state);
    }
    else if (process.env.VERBOSE) console.log(params.type, text);
    return undefined;
  }

  send(method, params = {}) {
    this.count += 1;
    return new Promise((resolve, reject) => {
      this.answers.set(this.count, [resolve, reject]);
      this.socket.send(JSON.stringify({ id: this.count, method, params }));
    });
  }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async picture() {
    return Buffer.from((await this.send("Page.captureScreenshot", { format: "png" })).data, "base64");
  }

  mouse(type, [x, y], more = {}) {
    return this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1, ...more });
  }

  async click(at) {
    await this.mouse("mouseMoved", at, { button: "none" });
    await this.mouse("mousePressed", at);
    await this.mouse("mouseReleased", at);
  }

  /**
   * Clicks once, after the first frame whose state `is` accepts; `is` is the source of a function. The page clicks itself,
   * because on a busy machine a click by this script can come many frames later.
   */
  clickAfter(is, [clientX, clientY]) {
    return this.evaluate(`(() => {
      const log = console.log;
      console.log = (line) => {
        log(line);
        if (!line.startsWith('{"') || !(${is})(JSON.parse(line))) return;
        console.log = log;
        const click = (type) => new MouseEvent(type, { clientX: ${clientX}, clientY: ${clientY} });
        const canvas = document.querySelector("canvas");
        setTimeout(() => ["mousemove", "mousedown", "mouseup"].forEach((type) => canvas.dispatchEvent(click(type))));
      };
    })()`);
  }

  async drag(from, to) {
    await this.mouse("mouseMoved", from, { button: "none" });
    await this.#frame();
    await this.mouse("mousePressed", from, { buttons: 1 });
    for (let step = 1; step <= 8; step += 1) {
      const part = (axis) => from[axis] + ((to[axis] - from[axis]) * step) / 8;
      await this.mouse("mouseMoved", [part(0), part(1)], { buttons: 1 });
      await this.#frame();
    }
    await this.mouse("mouseReleased", to);
  }

  #frame() {
    return this.evaluate("new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))");
  }

  /** Waits `count` times for two frames of the browser. */
  async frames(count) {
    for (let frame = 0; frame < count; frame += 1) await this.#frame();
  }

  async key(key, code, modifiers = 0) {
    const keyCode = key.length === 1 ? key.toUpperCase().charCodeAt(0) : 0;
    const text = key.length === 1 && modifiers === 0 ? key : undefined;
    const event = { key, code, modifiers, windowsVirtualKeyCode: keyCode };
    await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", text, ...event });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
    await this.#frame();
  }

  /** Presses Ctrl+V. Driven by DevTools, Chromium pastes only into text fields, so this sends the paste event itself. */
  async paste() {
    const ctrl = { key: "Control", code: "ControlLeft", windowsVirtualKeyCode: 17 };
    await this.send("Input.dispatchKeyEvent", { type: "rawKeyDown", modifiers: 2, ...ctrl });
    await this.evaluate(`navigator.clipboard.readText().then((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", text);
      canvas.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    })`);
    await this.#frame();
    await this.key("v", "KeyV", 2);
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...ctrl });
    await this.#frame();
  }

  /** Opens the palette, types `label`, which consists of lower-case letters and spaces, and presses Enter. */
  async command(label) {
    await this.key("p", "KeyP", 2);
    await until("the palette", () => this.state.dialog);
    for (const letter of label) await this.key(letter, letter === " " ? "Space" : `Key${letter.toUpperCase()}`);
    await this.key("Enter", "Enter");
  }

  /** Presses a key again and again until `test` returns true. Presses nothing if it is true from the start. */
  async keyUntil(key, code, what, test) {
    await until(what, async () => {
      if (test()) return true;
      await this.key(key, code);
      return test();
    });
  }

  async touch(type, places) {
    await this.send("Input.dispatchTouchEvent", { type, touchPoints: places.map(([x, y], id) => ({ x, y, id })) });
    await this.#frame();
  }

  async drop(files, [x, y]) {
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) await this.send("Input.dispatchDragEvent", { type, x, y, data });
  }

  async close() {
    await this.send("Page.close");
    this.socket.close();
  }
}
