// A game with three.js whose characters are attached to a window of Kinescope.
//
// Start `kinescope --listen`, then serve this folder from your machine, because Kinescope accepts pages from this machine only:
//   npm ci --prefix web && python3 -m http.server --directory web 8000
// and open http://localhost:8000/examples/three/
import { DirectionalLight, GridHelper, HemisphereLight, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, SphereGeometry, WebGLRenderer } from "three";
import { Character } from "./character.js";
import { Link } from "./link.js";

const address = new URLSearchParams(location.search);
const port = address.get("port") ?? "7468";
const show = (id, text) => { document.getElementById(id).textContent = text; };

const scene = new Scene();
scene.add(new HemisphereLight(0xffffff, 0x334455, 2), new GridHelper(10, 20, 0x444a55, 0x2a2e36));
const sun = new DirectionalLight(0xffffff, 2);
sun.position.set(2, 4, 3);
scene.add(sun);
const camera = new PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0.8, 1.5, 4.5);
camera.lookAt(0, 1, 0);
const renderer = new WebGLRenderer({ antialias: true });
document.body.append(renderer.domElement);
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener("resize", resize);
resize();

const characters = new Map();
const link = new Link(`ws://127.0.0.1:${port}`, "three.js example", {
  tuned: (name, parameters) => characters.get(name)?.character.tune(parameters),
  refused: ({ line, field, message }) => show("refused", `Kinescope refused line ${line}: ${field} ${message}`),
  changed() {
    show("state", link.isConnected ? "Attached to Kinescope." : `No window listens at port ${port}. Start kinescope --listen.`);
  },
});
show("state", "Connecting…");

/** Adds a character to the game and to Kinescope. */
function spawn(name, x, color) {
  const character = new Character(name, x, color);
  const ball = new Mesh(new SphereGeometry(0.04), new MeshBasicMaterial({ color: 0xffc857 }));
  character.root.add(ball);
  scene.add(character.root);
  characters.set(name, { character, ball });
  link.join(character.rig);
}

function remove(name) {
  const gone = characters.get(name);
  if (!gone) return;
  scene.remove(gone.character.root);
  characters.delete(name);
  link.leave(name);
}

const guards = () => [...characters.keys()].filter((name) => name !== "player");
function addGuard() {
  const free = [1, 2, 3, 4].find((number) => !characters.has(`guard ${number}`));
  if (free) spawn(`guard ${free}`, free % 2 ? 0.7 + 0.5 * free : -0.4 - 0.5 * free, 0x5f8f6b);
}
document.getElementById("join").onclick = addGuard;
document.getElementById("leave").onclick = () => remove(guards().pop());

spawn("player", 0, 0x6d8fc7);
let frames = 0;
renderer.setAnimationLoop((now) => {
  const time = now / 1000;
  for (const { character, ball } of characters.values()) {
    link.frame(character.frame(time));
    ball.position.copy(character.target);
  }
  renderer.render(scene, camera);
  frames += 1;
  // `?spawn` lets a guard come and go by itself.
  if (address.has("spawn") && frames % 60 === 20) addGuard();
  if (address.has("spawn") && frames % 60 === 50) remove(guards().pop());
});
