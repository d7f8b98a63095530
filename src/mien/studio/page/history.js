// What was done and can be undone: states are plain objects, never changed in place.

export class History {
  constructor(state, changed) {
    this.past = [];
    this.future = [];
    this.state = state;
    this.changed = changed;
  }

  // Takes a new state; states of one `source` that follow each other, as of a slider on the move, are one step.
  push(state, source = null) {
    const same = source !== null && source === this.source && this.past.length > 0;
    if (!same) this.past.push(this.state);
    this.source = source;
    this.future = [];
    this.state = state;
    this.changed(state);
  }

  // Ends a row of changes of one source.
  settle() {
    this.source = null;
  }

  undo() {
    this.#step(this.past, this.future);
  }

  redo() {
    this.#step(this.future, this.past);
  }

  #step(from, to) {
    if (from.length === 0) return;
    to.push(this.state);
    this.state = from.pop();
    this.source = null;
    this.changed(this.state);
  }
}
