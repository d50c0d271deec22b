export const delegation = {
  tasks: 'Tasks with my delegates',
  has: 'With {name}',
  from: 'Started in {names}',
  departments: 'Started in departments',
  everybody: 'Any department',
  moveOpen: 'Move open tasks',
  returnOpen: 'Return open tasks',
  keepCopy: 'Keep an eye on them',
  notes: {
    moveOpen: 'When the delegation starts, the tasks that you have not finished go to the delegate.',
    returnOpen: 'When it ends, or is disabled or deleted, unfinished tasks come back to you.',
    keepCopy: 'The tasks of the delegate are listed on this page, so that you can follow them.',
  },
}
