export const picker = {
  choose: '请选择',
  nothing: '无匹配项',
  missed: '输入“{text}”后未作选择，原值不变',
  unfound: '“{text}”无匹配项，请重新选择，或清空文字后再保存',
  joint: '”“',
  recent: '最近选择',
  others: '其他',
  create: '新增{name}',
  createTitle: '新增{name}，保存后选中',
  notOffered: '已保存，但不符合此字段的选择条件',
  more: '还有 {count} 项，输入文字、拼音或首字母查找',
}
