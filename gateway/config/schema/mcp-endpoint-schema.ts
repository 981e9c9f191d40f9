import { Type } from '../../schema/type.ts'
import { names, section } from './schema-parts.ts'

/** How clients of the protocol reach this gateway at `/mcp`. */
export const mcpEndpointSchema = section('What `/mcp` is, and who may reach it from where.', {
  server: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'A server of `mcp.servers` that `/mcp` is, as it is at `/mcp/servers/<name>`, for clients that can be given no other path. By default `/mcp` has the tools of all servers and plugins.',
    }),
  ),
  allowedHosts: names(
    'Host names that the gateway is reached by, beside those of this machine. When any is listed, no other is answered at `/mcp`.',
  ),
  allowedOrigins: names('Hosts of web pages whose scripts may ask at `/mcp`, beside those of this machine.'),
})
