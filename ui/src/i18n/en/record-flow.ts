export const recordFlow = {
  title: 'Workflow status',
  finished: 'Finished: {time}',
  task: 'Open task',
}
