import type { Value } from '@terrane/cty';
import { type FileSystem, userErrorText } from '@terrane/host';
import { communicatorFor, whileConnected } from './connect.ts';
import { pathProblem } from './path-problem.ts';
import type { Provisioner } from './provisioner.ts';

/** `remote-exec`: runs inline commands or script files on a machine. */
export const remoteExec: Provisioner = async (host, { config, connection, output, signal }) => {
  try {
    const machine = await communicatorFor(host, connection);
    const scripts = await scriptsOf(config, host.files);
    await whileConnected(host, machine, signal, output, async () => {
      for (const script of scripts) {
        const path = machine.scriptPath();
        try {
          await machine.uploadScript(path, script);
        } catch (error) {
          throw new Error(`Failed to upload script: ${userErrorText(error)}`);
        }
        await machine.run(path, output);
        // Overwrites the script on the machine. The script has run, so a failure here is ignored.
        await machine.upload(path, new Uint8Array()).catch(() => {});
      }
    });
    return [];
  } catch (error) {
    return [
      { severity: 'error', summary: 'remote-exec provisioner error', detail: userErrorText(error) },
    ];
  }
};

async function scriptsOf(config: Value, files: FileSystem): Promise<readonly Uint8Array[]> {
  const inline = config.attr('inline');
  if (!inline.isNull) {
    const lines = inline.elements().map((line) => scriptText(line, 'scripts'));
    return [Buffer.from([...lines, ''].join('\n'))];
  }
  const script = config.attr('script');
  const scripts = config.attr('scripts');
  const paths = [
    ...(script.isNull ? [] : [script]),
    ...(scripts.isNull ? [] : scripts.elements()),
  ].map((path) => scriptText(path, 'script'));
  const contents: Uint8Array[] = [];
  for (const path of paths) {
    try {
      contents.push(await files.readFile(path));
    } catch (error) {
      const { message } = pathProblem('open', path, error);
      throw new Error(`Failed to open script '${path}': ${message}`);
    }
  }
  return contents;
}

function scriptText(value: Value, argument: string): string {
  if (value.isNull) throw new Error(`invalid null string in '${argument}'`);
  const text = value.asString();
  if (text === '') throw new Error(`invalid empty string in '${argument}'`);
  return text;
}
