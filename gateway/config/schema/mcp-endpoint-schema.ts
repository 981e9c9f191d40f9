import { names, section } from './schema-parts.ts'

/** How clients of the protocol reach this gateway at `/mcp`. */
export const mcpEndpointSchema = section('Who may reach `/mcp` from where.', {
  allowedHosts: names(
    'Host names that the gateway is reached by, beside those of this machine. When any is listed, no other is answered at `/mcp`.',
  ),
  allowedOrigins: names('Hosts of web pages whose scripts may ask at `/mcp`, beside those of this machine.'),
})
