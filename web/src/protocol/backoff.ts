/** How long to wait before the next try: twice as long each time, a little by chance so that not all come at once. */
export class Backoff {
  tries = 0;

  constructor(private readonly first_ms = 400, private readonly most_ms = 10_000) {}

  next(chance = Math.random()): number {
    const whole = Math.min(this.most_ms, this.first_ms * 2 ** this.tries++);
    return whole * (0.7 + 0.6 * chance);
  }

  reset(): void {
    this.tries = 0;
  }
}
