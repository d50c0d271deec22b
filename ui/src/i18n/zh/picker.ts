export const picker = {
  choose: '请选择',
  nothing: '没有匹配的内容',
  more: '还有 {count} 项，输入文字、拼音或首字母查找',
}
