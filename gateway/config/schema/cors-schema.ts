import { Type } from '../../schema/type.ts'
import { section } from './schema-parts.ts'

/** Which web pages may use the gateway from a browser. */
export const corsSchema = section('Web pages whose scripts may use `/v1`, `/mcp` and `/mcp/servers` from a browser.', {
  origins: Type.Array(
    Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9+.-]*://[^\\s/?#*@\\\\]+$',
      'x-expected':
        'the origin of one page, e.g. "https://chat.example.com" or "http://localhost:5173", without a path and without "*"',
    }),
    {
      default: [],
      description:
        'Origins, each with scheme, host and port: `https://chat.example.com`, `chrome-extension://<id>`, `app://obsidian.md`. A page needs a token all the same. By default there is none.',
    },
  ),
})
