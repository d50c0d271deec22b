export const delegation = {
  tasks: '我委托出去的任务',
  has: '受托人：{name}',
  from: '发起部门：{names}',
  departments: '发起人所在部门',
  everybody: '所有部门',
  moveOpen: '移交已有任务',
  returnOpen: '到期收回任务',
  keepCopy: '保留查看',
  notes: {
    moveOpen: '委托开始时，尚未处理的任务交给受托人。',
    returnOpen: '委托到期、停用或删除时，受托人未处理的任务回到您这里。',
    keepCopy: '受托人的任务列在本页，您可以查看进展。',
  },
}
