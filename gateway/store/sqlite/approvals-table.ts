/** When each ended, so that old ones can be dropped, and whose token asked, so that one token cannot fill the desk. */
export const APPROVAL_ENDS = `
  ALTER TABLE approvals ADD COLUMN ended_ms INTEGER;
  ALTER TABLE approvals ADD COLUMN token TEXT;
  UPDATE approvals SET ended_ms = coalesce(json_extract(body, '$.decidedMs'), created_ms) WHERE state <> 'pending';
  CREATE INDEX approvals_ended ON approvals (ended_ms) WHERE ended_ms IS NOT NULL;
  CREATE INDEX approvals_asked ON approvals (tenant, agent, token) WHERE state = 'pending';
  CREATE INDEX grants_ended ON grants (ended_ms) WHERE ended_ms IS NOT NULL;
  `
