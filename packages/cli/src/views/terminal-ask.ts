import type { AnswerToQuestion, Ask, Question } from '@terrane/ops';
import type { World } from '../world.ts';
import { paint } from './paint.ts';
import { inProgramName } from './program-name.ts';

/** Prompts on the terminal, or reads prepared lines from the input. */
export function terminalAsk(world: World, color: boolean): Ask {
  let interrupted = false;
  return {
    async input(question, signal): Promise<AnswerToQuestion> {
      if (interrupted || signal?.aborted === true) return { problem: 'interrupted' };
      const text = questionText(question, color);
      // Started before the prompt is visible, so that secret input is never echoed.
      const answer = world.stdin.readLine({
        ...(signal === undefined ? {} : { signal }),
        secret: question.secret === true,
      });
      // Other questions have texts of the user's.
      world.stdout.write(question.id === 'approve' ? inProgramName(text, world) : text);
      let line: string | undefined;
      try {
        line = await answer;
      } catch {
        // Later output starts on a new line.
        world.stdout.write('\n');
        interrupted = true;
        return { problem: 'interrupted' };
      }
      if (line === undefined) return { problem: 'EOF' };
      world.stdout.write('\n');
      return { text: line.trimEnd() };
    },
  };
}

function questionText({ query, description }: Question, color: boolean): string {
  const lines =
    description === undefined || description === ''
      ? []
      : description.replace(/\n$/, '').split('\n');
  const explained = lines.length === 0 ? '' : `${lines.map((line) => `  ${line}\n`).join('')}\n`;
  return `${paint(color, query, 'bold')}\n${explained}  ${paint(color, 'Enter a value:', 'bold')} `;
}
