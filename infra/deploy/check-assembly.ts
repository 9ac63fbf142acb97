import { assemblyFaults } from './assembly.ts'

/** `node infra/deploy/check-assembly.ts <stage> <folder>`: checks an assembly before the CDK uses it with AWS credentials. */
const [stage, directory, ...others] = process.argv.slice(2)
if (stage === undefined || directory === undefined || others.length > 0) {
  console.error('Usage: node infra/deploy/check-assembly.ts <stage> <folder>')
  process.exit(2)
}
const faults = assemblyFaults(directory, stage)
for (const fault of faults) console.error(fault)
if (faults.length > 0) {
  console.error(`${directory} is not what the synthesis of ${stage} writes: do not deploy it.`)
  // Not `exit`, which loses lines that a slow reader has not taken.
  process.exitCode = 1
} else {
  console.log(
    `${directory} is an assembly of ${stage}: it runs nothing, and uploads to its bootstrap's bucket what it holds.`,
  )
}
