// The built-in provider as a plugin, under another address. What it needs of the engine that it is built into, reading
// other states, is a port, which is as much here as a plugin can do by itself: states in local files.
import { join } from 'node:path';
import { readStateFile } from '@terrane/engine';
import { serve } from '@terrane/plugin/server';
import type { ServePorts } from '@terrane/plugin/server';
import type { RemoteStateAnswer, RemoteStateRequest } from '@terrane/provider';
import { provider } from '@terrane/provider-terraform';
import { SERVED_BUILT_IN } from '../served-built-in.ts';

async function readLocalState(
  { files }: ServePorts,
  { backend, config, workspace }: RemoteStateRequest,
): Promise<RemoteStateAnswer> {
  if (backend !== 'local') return { outputs: undefined, error: `no backend ${backend} here` };
  const text = (name: string): string | undefined => {
    const v = config.get(name);
    return v === undefined || v.isNull ? undefined : v.asString();
  };
  const path =
    workspace === undefined || workspace === 'default'
      ? (text('path') ?? 'terraform.tfstate')
      : join(text('workspace_dir') ?? 'terraform.tfstate.d', workspace, 'terraform.tfstate');
  if ((await files.stat(path)) === undefined) return { outputs: undefined };
  const { file } = readStateFile(await files.readFile(path));
  if (file === undefined) return { outputs: undefined };
  return {
    outputs: new Map([...file.state.outputs].map(([name, { value }]) => [name, value])),
  };
}

void serve(
  (ports) =>
    provider.create({ ...ports, readRemoteState: (request) => readLocalState(ports, request) }),
  { address: SERVED_BUILT_IN },
);
