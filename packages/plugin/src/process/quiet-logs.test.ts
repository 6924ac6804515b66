import { expect, it } from 'vitest';
import { quietLogs } from './quiet-logs.ts';

const PATH = '/p/terraform-provider-google-beta_v6.1.0_x5';

function quiet(path: string, environment: Record<string, string> = {}): Record<string, string> {
  return quietLogs(path, (name) => environment[name]);
}

it('suppresses logs of plugins that are not requested', () => {
  expect(quiet(PATH)).toMatchObject({
    TF_LOG_SDK: 'error',
    TF_LOG_SDK_PROTO: 'error',
    TF_LOG_SDK_FRAMEWORK: 'error',
    TF_LOG_PROVIDER: 'error',
    TF_LOG_PROVIDER_GOOGLE_BETA: 'error',
  });
});

it.each([
  ['/p/terraform-provider-tls', 'TF_LOG_PROVIDER_TLS'],
  ['C:\\p\\terraform-provider-tls.exe', 'TF_LOG_PROVIDER_TLS'],
  ['/p/terraform-provider-a_b_v1.0.0', 'TF_LOG_PROVIDER_A_B'],
])('derives the provider from its executable: %s', (path, name) => {
  expect(quiet(path)).toHaveProperty(name, 'error');
});

it('leaves plugins alone whose logs are wanted', () => {
  expect(quiet(PATH, { TF_LOG: 'trace' })).toEqual({});
  expect(quiet(PATH, { TF_LOG_PROVIDER: 'info' })).toEqual({});
  expect(quiet(PATH, { TF_LOG: 'off' })).not.toEqual({});
});

it('keeps a level that is set for a part', () => {
  expect(quiet(PATH, { TF_LOG_SDK_PROTO: 'debug' })).not.toHaveProperty('TF_LOG_SDK_PROTO');
});
