import type { CommandContext } from '../command.ts';
import { canBeLive } from './can-be-live.ts';
import { liveLines } from './live-lines.ts';
import { LiveScreen } from './live-screen.ts';
import { TaskProgress } from './task-progress.ts';
import { View } from './view.ts';

/** The output of a command, with running tasks displayed below it on a terminal. */
export interface TaskView {
  readonly view: View;
  /** displayed once the screen is started; undefined without a terminal */
  readonly progress: TaskProgress | undefined;
  readonly screen: LiveScreen | undefined;
}

/** Returns the view of a command that executes several tasks, in sequence or in parallel. */
export function taskView(context: CommandContext): TaskView {
  if (!canBeLive(context)) {
    return { view: new View(context), progress: undefined, screen: undefined };
  }
  const now = (): number => performance.now();
  const progress = new TaskProgress(now);
  const screen = new LiveScreen(context.world, (size) =>
    liveLines(progress, { ...size, color: view.style.color, nowMs: now() }),
  );
  const { stdout, stderr } = screen;
  const view = new View({ ...context, world: { ...context.world, stdout, stderr } });
  return { view, progress, screen };
}
