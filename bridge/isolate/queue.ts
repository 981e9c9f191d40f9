/** Runs that wait for a worker: first come first served within a tenant, tenants in turn. */
export class FairQueue<T> {
  readonly #byTenant = new Map<string, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(tenant: string): number {
    return this.#byTenant.get(tenant)?.length ?? 0
  }

  add(tenant: string, item: T): void {
    const waiting = this.#byTenant.get(tenant)
    if (waiting === undefined) this.#byTenant.set(tenant, [item])
    else waiting.push(item)
    this.#size++
  }

  /** The next item of the tenant whose turn it is, among those that are accepted. */
  take(accept: (tenant: string) => boolean): T | undefined {
    for (const [tenant, waiting] of this.#byTenant) {
      if (!accept(tenant)) continue
      const item = waiting.shift()
      // To the end of the line: a map keeps the order of insertion.
      this.#byTenant.delete(tenant)
      if (waiting.length > 0) this.#byTenant.set(tenant, waiting)
      if (item === undefined) continue
      this.#size--
      return item
    }
    return undefined
  }

  remove(tenant: string, item: T): boolean {
    const waiting = this.#byTenant.get(tenant)
    const index = waiting?.indexOf(item) ?? -1
    if (waiting === undefined || index === -1) return false
    waiting.splice(index, 1)
    if (waiting.length === 0) this.#byTenant.delete(tenant)
    this.#size--
    return true
  }
}
