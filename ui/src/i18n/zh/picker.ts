export const picker = {
  choose: '请选择',
  nothing: '没有匹配的内容',
  missed: '输入“{text}”后未作选择，原值不变',
  unfound: '没有找到“{text}”，请重新选择，或清空所输文字后再保存',
  joint: '”“',
  recent: '最近选择',
  others: '其他',
  create: '新建{name}',
  createTitle: '新建{name}，保存后选中',
  notOffered: '已保存，但不符合此处的选择条件',
  more: '还有 {count} 项，输入文字、拼音或首字母查找',
}
