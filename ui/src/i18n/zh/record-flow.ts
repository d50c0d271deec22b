export const recordFlow = {
  title: '流程状态',
  finished: '完成时间：{time}',
  task: '处理任务',
}
