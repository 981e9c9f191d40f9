export interface ForeignContext {
  readonly env: Readonly<Record<string, string | undefined>>
  /** What `${workspaceFolder}` stands for. */
  readonly workspaceFolder: string
  readonly homeFolder: string
}
