// Ends servers, agents and the database while runs are executed:
//   npm run test:server-crash -- [--rounds=20] [--seed=1] [--workspaces=5] [--agents=3] [--faults=2]
//   npm run test:server-crash -- --steps [--every=1] [--first=0] [--agents=10] [--kinds=agent,server]    at each step of a run
import { parseArgs } from 'node:util';
import { FAULTS, runRounds } from './rounds.ts';
import { runSteps, STEP_FAULTS } from './steps.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    workspaces: { type: 'string', default: '5' },
    agents: { type: 'string' },
    faults: { type: 'string', default: '2' },
    steps: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
    kinds: { type: 'string', default: STEP_FAULTS.join(',') },
  },
});
const report = (line: string): void => console.log(line);
const started = process.cpuUsage();
const kinds = values.kinds.split(',');
const result = values.steps
  ? await runSteps({
      agents: Number(values.agents ?? '10'),
      every: Number(values.every),
      first: Number(values.first),
      faults: STEP_FAULTS.filter((fault) => kinds.includes(fault)),
      report,
    })
  : await runRounds({
      seed: Number(values.seed),
      rounds: Number(values.rounds),
      workspaces: Number(values.workspaces),
      agents: Number(values.agents ?? '3'),
      faultsPerRound: Number(values.faults),
      faults: FAULTS,
      report,
    });
const { user, system } = process.cpuUsage(started);
console.log(JSON.stringify({ ...result, harnessCpuSeconds: (user + system) / 1e6 }, undefined, 2));
process.exitCode = result.problems.length === 0 ? 0 : 1;
