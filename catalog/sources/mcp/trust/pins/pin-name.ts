/**
 * What a tool is called to pins, and to people who look at it: its name; one that could be taken for a prompt, a resource
 * or instructions of its server is `tools/<name>`. Different tools have different ones.
 */
export function pinName(tool: string): string {
  return tool === 'instructions' || TAKEN.some((prefix) => tool.startsWith(prefix)) ? `tools/${tool}` : tool
}

/** As `offerName` begins, and what is put before those names. */
const TAKEN = ['prompts/', 'resources/', 'tools/']
