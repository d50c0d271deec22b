export const launch = {
  title: '打开消息',
  text: '在浏览器中打开消息所指的内容。',
  open: '在浏览器中打开',
  here: '在此页打开',
  handover: '选择要交接工作的人员',
  gone: '无法打开此消息',
  goneText: '消息已不存在、不是发给您的，或您已无权查看其内容。',
}
