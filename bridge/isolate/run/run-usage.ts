/** What a run has used so far. */
export class RunUsage {
  /** Bytes of code and answers into the isolate, and of messages out of it. */
  bytesIn = 0
  bytesOut = 0
  #cpuUs = 0
  #heapPeakBytes = 0

  get cpuMs(): number {
    return this.#cpuUs / 1000
  }

  get heapPeakBytes(): number {
    return this.#heapPeakBytes
  }

  addSection(cpuUs: number, heapBytes: number): void {
    this.#cpuUs += cpuUs
    this.#heapPeakBytes = Math.max(this.#heapPeakBytes, heapBytes)
  }

  /** A section that is killed never says what it used. */
  atLeastCpu(cpuMs: number): void {
    this.#cpuUs = Math.max(this.#cpuUs, Math.round(cpuMs * 1000))
  }
}
