// Ends servers, agents and the database while runs are executed:
//   npm run test:server-crash -- [--rounds=20] [--seed=1] [--workspaces=5] [--agents=3] [--faults=2]
import { parseArgs } from 'node:util';
import { FAULTS, runRounds } from './rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    workspaces: { type: 'string', default: '5' },
    agents: { type: 'string', default: '3' },
    faults: { type: 'string', default: '2' },
  },
});
const started = process.cpuUsage();
const result = await runRounds({
  seed: Number(values.seed),
  rounds: Number(values.rounds),
  workspaces: Number(values.workspaces),
  agents: Number(values.agents),
  faultsPerRound: Number(values.faults),
  faults: FAULTS,
  report: (line) => console.log(line),
});
const { user, system } = process.cpuUsage(started);
console.log(JSON.stringify({ ...result, harnessCpuSeconds: (user + system) / 1e6 }, undefined, 2));
process.exitCode = result.problems.length === 0 ? 0 : 1;
