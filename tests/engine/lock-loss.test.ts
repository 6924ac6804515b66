import type { LockGuard } from '@terrane/engine';
import { LockLost } from '@terrane/host';
import { describe, expect, test } from 'vitest';
import { errorsOf, TestProject } from './harness.ts';

/** A lock that is lost when the storage has been asked about it so often. */
class FailingLock implements LockGuard {
  readonly #lost = new AbortController();
  #remaining: number;
  /** True if only the clock shows the loss, after the storage has confirmed the lock. */
  readonly #byClock: boolean;
  asked = 0;

  constructor(confirmations: number, byClock = false) {
    this.#remaining = confirmations;
    this.#byClock = byClock;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  isValid(): boolean {
    if (this.#byClock && this.#remaining <= 0) this.lose();
    return !this.lost.aborted;
  }

  confirm(): Promise<void> {
    this.asked += 1;
    if (!this.#byClock && this.#remaining <= 0) this.lose();
    this.#remaining -= 1;
    return this.lost.aborted ? Promise.reject(new LockLost('it is gone')) : Promise.resolve();
  }

  lose(): void {
    this.#lost.abort(new LockLost('it is gone'));
  }
}

const thing = (name: string, more = ''): string =>
  `resource "test_thing" "${name}" {\n  name = "${name}"\n  ${more}\n}\n`;

describe('a run whose lock is lost', () => {
  test('begins no operation afterwards, and has all that it began in the state', async () => {
    for (const byClock of [false, true]) {
      const project = new TestProject();
      project.write('resource "test_thing" "t" {\n  count = 5\n  name  = "t${count.index}"\n}\n');
      const lock = new FailingLock(3, byClock);
      expect(errorsOf(await project.apply({ lock, parallelism: 1 }))).toEqual([]);
      const made = byClock ? 2 : 3;
      expect(project.world.objects.size).toBe(made);
      expect([...project.state.instances()]).toHaveLength(made);
    }
  });

  test('finishes the operations in flight', async () => {
    const project = new TestProject();
    project.write(thing('a') + thing('b', 'kind = test_thing.a.id'));
    const lock = new FailingLock(Infinity);
    project.world.delay = async () => {
      lock.lose();
      await Promise.resolve();
    };
    await project.apply({ lock });
    expect([...project.state.instances()].map(({ text }) => text)).toEqual(['test_thing.a']);
  });

  test('deletes nothing, and keeps the objects to be replaced', async () => {
    const project = new TestProject();
    project.write(thing('a', 'kind = "x"'));
    await project.apply();
    const attributes = (): (string | undefined)[] =>
      [...project.state.instances()].map(
        (addr) => project.state.instance(addr)?.current?.attributesJson,
      );
    const before = attributes();
    const replacing = 'kind = "y"\n  lifecycle {\n    create_before_destroy = true\n  }';
    for (const text of ['', thing('a', 'kind = "y"'), thing('a', replacing)]) {
      for (const byClock of [false, true]) {
        project.write(text);
        await project.apply({ lock: new FailingLock(byClock ? 1 : 0, byClock) });
        expect(project.world.objects.size).toBe(1);
        expect(attributes()).toEqual(before);
      }
    }
  });

  test('runs no provisioner; its object is tainted', async () => {
    const project = new TestProject();
    project.write(thing('a', 'provisioner "local-exec" {\n    command = "never"\n  }'));
    await project.apply({ lock: new FailingLock(1) });
    expect(project.provisioned).toEqual([]);
    const { lines } = await project.plan();
    expect(lines).toEqual(['delete-then-create test_thing.a: replace_because_tainted']);
  });

  test('invokes no action', async () => {
    const project = new TestProject();
    const action = 'action "test_act" "go" {\n  config {\n    say = "x"\n  }\n}\n';
    project.write(
      action +
        thing(
          'a',
          'lifecycle {\n    action_trigger {\n      events  = [after_create]\n      actions = [action.test_act.go]\n    }\n  }',
        ),
    );
    await project.apply({ lock: new FailingLock(1) });
    expect(project.world.calls.filter((call) => call.startsWith('invoke'))).toEqual([]);
  });
});
