import type { AnswerToQuestion, Ask, Question } from '@terrane/ops';
import type { World } from '../world.ts';
import { paint } from './paint.ts';
import { inProgramName } from './program-name.ts';

/** Asks at the terminal, or reads prepared answers from the input. */
export function terminalAsk(world: World, color: boolean): Ask {
  let interrupted = false;
  return {
    async input(question, signal): Promise<AnswerToQuestion> {
      if (interrupted || signal?.aborted === true) return { problem: 'interrupted' };
      const text = questionText(question, color);
      // Before the question is seen, so that nothing of the answer to a secret one is shown.
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
        // What is printed next begins on a line of its own.
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
