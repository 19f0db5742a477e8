// Sends the frames of a game to a listening window of Kinescope, by WebSocket. The lines are those of a recording:
// docs/formats/recording.md.

/** Bytes that may wait in the browser to be sent. From this number on, frames are dropped. */
const MOST_WAITING = 1 << 20;
/** Milliseconds from the end of a connection or a failed attempt to the next attempt. */
const AGAIN = 1000;

export class Link {
  /**
   * Connects, and tries again after each attempt that fails and each connection that ends. `on` has functions:
   * `tuned(name, parameters)` for an edit of the user, `refused({ line, field, message })` for a line that Kinescope
   * refused, and `changed()` for a connection that begins or ends, or an attempt that fails.
   */
  constructor(address, producer, on) {
    Object.assign(this, { address, producer, on });
    /** The characters that are present, by name. */
    this.characters = new Map();
    this.isConnected = false;
    this.connect();
  }

  connect() {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      // The header has all characters that are present now. Later ones join.
      const characters = [...this.characters.values()];
      socket.send(JSON.stringify({ format: "kinescope-recording", version: 2, producer: this.producer, characters }));
      this.isConnected = true;
      this.on.changed();
    };
    socket.onmessage = ({ data }) => {
      const line = JSON.parse(data);
      if (line.error) this.on.refused(line.error);
      if (line.parameters) this.on.tuned(line.character, line.parameters);
    };
    socket.onclose = () => {
      this.isConnected = false;
      this.on.changed();
      setTimeout(() => this.connect(), AGAIN);
    };
  }

  send(line) {
    if (this.isConnected) this.socket.send(JSON.stringify(line));
  }

  /** Adds a character: an entry of `characters` in a recording's header, with `name`, `rig` and, if known, `biped`. */
  join(character) {
    this.characters.set(character.name, character);
    this.send({ join: character });
  }

  leave(name) {
    if (this.characters.delete(name)) this.send({ leave: name });
  }

  /** Sends a frame of a character. Drops the frame if `MOST_WAITING` bytes wait or there is no connection. */
  frame(frame) {
    if (this.socket.bufferedAmount < MOST_WAITING) this.send(frame);
  }
}
