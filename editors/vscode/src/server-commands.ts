import { commands, type Location, Position, Uri } from 'vscode';
import type { ExecuteCommandMiddleware } from 'vscode-languageclient';

/**
 * Handles the commands of the server's lenses in the editor: explanations open beside it, tests run in the Test
 * Explorer, and references in the peek view.
 */
export const executeCommand: NonNullable<ExecuteCommandMiddleware['executeCommand']> = async (
  command,
  args: readonly unknown[],
  next,
) => {
  const [target, argument] = args;
  if (typeof target !== 'string') return await next(command, [...args]);
  const uri = Uri.parse(target, true);
  switch (command) {
    case 'terrane.server.explain': {
      const [address] = Array.isArray(argument) ? argument.map(String) : [];
      return await commands.executeCommand('terrane.explain', { folder: uri, address });
    }
    case 'terrane.server.runTest':
      return await commands.executeCommand('terrane.runTest', uri, argument);
    case 'terrane.server.references': {
      const { line, character } = argument as { readonly line: number; readonly character: number };
      const position = new Position(line, character);
      const found = await commands.executeCommand<Location[]>(
        'vscode.executeReferenceProvider',
        uri,
        position,
      );
      return await commands.executeCommand('editor.action.showReferences', uri, position, found);
    }
    default:
      return await next(command, [...args]);
  }
};
