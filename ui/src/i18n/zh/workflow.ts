export const workflow = {
  title: '流程中心',
  menu: '流程中心菜单',
  unfinished: '待办',
  unfinishedCount: '待办，{count} 项',
  finished: '已办',
  unread: '待阅',
  unreadCount: '待阅，{count} 项',
  read: '已阅',
  mine: '我发起的',
  start: '发起流程',
  query: '流程查询',
}
