export const flowStuck = {
  title: 'Stuck at “{name}”',
  label: "The workflow can't continue",
  reasons: {
    NOBODY: 'No one was found for this step.',
    REJECTED: 'The step was rejected, and there is no step to send it back to.',
    TIMEOUT: 'The time limit of this step is over.',
    CHILD_VOIDED: 'A sub-workflow of this step was voided.',
    CANNOT_RUN: "This step waits for a time or a signal, but the record doesn't have a value for it.",
    SERVICE_FAILED: 'The service of this step failed. The system log has the reason.',
    FAULT: 'This step reported an error.',
    OTHER: "This step can't continue.",
  },
  fault: 'This step reported error {code}: {text}',
  faultOnly: 'This step reported error {code}.',
  acts: {
    NOBODY:
      'Change the people of the step in its menu, complete the setup of people and try again, move to another step, or void the workflow.',
    REJECTED: 'Try again to start the step over, move to another step, or void the workflow.',
    TIMEOUT:
      'Try again so that the people of the step can continue, change its people, move to another step, or void the workflow.',
    CHILD_VOIDED: 'Try again to start the sub-workflows over, move to another step, or void the workflow.',
    CANNOT_RUN: 'Complete the record and try again, move to another step, or void the workflow.',
    SERVICE_FAILED: 'Fix the cause and try again, move to another step, or void the workflow.',
    FAULT: 'Fix the cause and try again, move to another step, or void the workflow.',
    OTHER: 'Try again, move to another step, or void the workflow.',
  },
  others: 'The workflow administrators have been notified and will decide.',
}
