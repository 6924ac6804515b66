import { type Host, userErrorText } from '@terrane/host';
import { communicatorFor, whileConnected } from './connect.ts';
import { pathProblem } from './path-problem.ts';
import type { Provisioner } from './provisioner.ts';

/** `file`: uploads a file, a directory or a text to a machine. */
export const file: Provisioner = async (host, { config, connection, signal }) => {
  try {
    const machine = await communicatorFor(host, connection);
    const content = config.attr('content');
    const source = content.isNull ? expandHome(config.attr('source').asString(), host) : undefined;
    const destination = config.attr('destination').asString();
    await whileConnected(host, machine, signal, undefined, async () => {
      if (source === undefined) {
        await withUploadError(machine.upload(destination, Buffer.from(content.asString())));
        return;
      }
      const stat = await host.files.stat(source).catch((error: unknown) => {
        throw pathProblem('stat', source, error);
      });
      if (stat === undefined) throw new Error(`stat ${source}: no such file or directory`);
      if (stat.kind === 'directory') {
        await withUploadError(machine.uploadDirectory(destination, source));
        return;
      }
      const data = await host.files.readFile(source).catch((error: unknown) => {
        throw pathProblem('open', source, error);
      });
      await withUploadError(machine.upload(destination, data));
    });
    return [];
  } catch (error) {
    return [{ severity: 'error', summary: 'file provisioner error', detail: userErrorText(error) }];
  }
};

async function withUploadError(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw new Error(`Upload failed: ${userErrorText(error)}`);
  }
}

function expandHome(path: string, { environment }: Host): string {
  if (!path.startsWith('~')) return path;
  if (path !== '~' && !/^~[/\\]/.test(path)) {
    throw new Error('cannot expand user-specific home dir');
  }
  return `${environment.homeDirectory ?? ''}${path.slice(1)}`;
}
