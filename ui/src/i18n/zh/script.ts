export const script = {
  fault: '{words}（{why}）',
  detailed: '{why}：{detail}',
  hookNotFound: '没有这个钩子，或它不是函数',
  actionRequired: '没有写动作，或列表没有这个动作',
  scriptInvalid: '页面脚本无法加载',
  versionNotFound: 'options.version 须为 1.0 或 1.1',
  apiRequest: 'api 须为函数，或带 request 函数的对象',
  mode: 'mode 须为 combine 或 replace',
  execution: '页面脚本出错',
  result: '页面脚本返回的内容不合要求',
  silent: '页面脚本 2 秒没有回应，已停止；重新打开页面后再次启用',
  confirm: '请确认',
}
