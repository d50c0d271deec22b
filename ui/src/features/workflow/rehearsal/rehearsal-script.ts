import type { RehearsalDecision, RehearsedStep } from '../api'

/** A decision as the list beside a step offers it: an action, with the node behind a colon. */
export type Move = string

/** The place of a decision among those of its person at its node, from 0. */
export function turnOf(steps: RehearsedStep[], index: number): number {
  const step = steps[index]
  return steps
    .slice(0, index)
    .filter(
      (one) =>
        one.person && one.activityCode === step?.activityCode && one.person.id === step.person?.id && decides(one),
    ).length
}

/** Whether somebody decides in a step, or does nothing. */
export const decides = (step: RehearsedStep) =>
  step.person !== null && (step.kind === 'decision' || (step.kind === 'time' && step.action === 'timeout'))

/** The script with another decision of a person at a node: the one of that turn, those before it agree where nothing is said. */
export function withMove(
  script: RehearsalDecision[],
  at: { node: string; person: string; turn: number },
  move: Move,
): RehearsalDecision[] {
  const own = (one: RehearsalDecision) => one.activityCode === at.node && one.person === at.person
  const mine = script.filter(own)
  const [action = 'agree', to = ''] = move.split(':')
  const next: RehearsalDecision = { activityCode: at.node, person: at.person, action: action as 'agree' }
  if (to) next.to = to
  const before = Array.from(
    { length: at.turn },
    (_, turn): RehearsalDecision => mine[turn] ?? { activityCode: at.node, person: at.person, action: 'agree' },
  )
  return [...script.filter((one) => !own(one)), ...before, next]
}
