import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/**
 * Files of the tests that take longest; begun last, they would be waited for alone at the end. One that mostly waits stands
 * beside one that works.
 */
const LONGEST: readonly string[] = [
  'e2e/hot-reload.test.ts',
  'bridge/isolate/abuse/hostile-program.test.ts',
  'e2e/conformance.test.ts',
  'e2e/readme.test.ts',
  'e2e/starting.test.ts',
  'e2e/package.test.ts',
  'e2e/approvals.test.ts',
  'bridge/isolate/run/replay.test.ts',
  'e2e/mcp.test.ts',
  'e2e/mcp-server-stdio.test.ts',
  'e2e/mcp-server-approvals.test.ts',
  'e2e/operator.test.ts',
  'e2e/compare.test.ts',
  'catalog/sources/mcp/mcp-source.test.ts',
  'e2e/chat-upstream.test.ts',
  'e2e/mcp-server.test.ts',
  'e2e/mcp-trust.test.ts',
  'bridge/isolate/abuse/fuzz.test.ts',
  'scripts/bench/search/search-floor.test.ts',
  'e2e/policy.test.ts',
  'gateway/views/denied-tools.test.ts',
  'catalog/signature/oracle.test.ts',
]

/** The longest first; the rest as ever: by what they took here before, else by their size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`))
      return at === -1 ? LONGEST.length : at
    }
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
