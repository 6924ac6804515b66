// The validator of responses finds what differs, so that its silence means something.
import { describe, expect, it } from 'vitest';
import { DEVIATIONS } from './api-deviations.ts';
import { openApiDocument, type ObservedResponse } from './api-document.ts';

const document = openApiDocument();

const response = (more: Partial<ObservedResponse>, json: unknown = {}): ObservedResponse => ({
  method: 'GET',
  path: '/api/v2/workspaces/ws-1',
  status: 200,
  contentType: 'application/vnd.api+json',
  body: Buffer.from(JSON.stringify(json)),
  ...more,
});
const workspace = (attributes: object) => ({
  data: { id: 'ws-1', type: 'workspaces', attributes },
});

describe.skipIf(document === undefined)('the OpenAPI document', () => {
  const problems = (more: Partial<ObservedResponse>, json?: unknown): readonly string[] =>
    document?.problems(response(more, json)) ?? [];

  it('describes the operations of the API', () => {
    expect(document?.size).toBeGreaterThan(300);
    expect(document?.operation('GET', '/api/v2/organizations/acme/workspaces/a')?.name).toBe(
      'GET /organizations/{organization_name}/workspaces/{workspace_name}',
    );
    expect(document?.operation('GET', '/api/agent/v1/agents')).toBeUndefined();
  });

  it('accepts what it describes, and more attributes', () => {
    expect(problems({}, workspace({ name: 'a', locked: false, 'our-own': 1 }))).toEqual([]);
    expect(problems({ status: 404 }, { errors: [{ status: '404', title: 'not found' }] })).toEqual(
      [],
    );
  });

  it('rejects other types, missing members, statuses and contents', () => {
    expect(problems({}, workspace({ name: 1 }))).toEqual([
      'GET /workspaces/{workspace_id} 200: /data/attributes/name must be string {"type":"string"}',
    ]);
    expect(problems({}, { data: { id: 'ws-1' } }).join('\n')).toContain('required property');
    expect(problems({ status: 201 }, workspace({})).join('\n')).toContain('the status is not one');
    expect(problems({ body: new Uint8Array() }).join('\n')).toContain('the body is empty');
    expect(problems({ contentType: 'text/html' }).join('\n')).toContain('the content type');
    expect(problems({ status: 403 }, { errors: 'no' }).join('\n')).toContain('/errors must be');
  });

  it('is not followed for few responses, each with a reason', () => {
    for (const [, reason] of DEVIATIONS) expect(reason).toMatch(/^The document .+\.$/);
    expect(DEVIATIONS.length).toBeLessThan(10);
  });
});
