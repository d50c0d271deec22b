export const picker = {
  choose: 'Choose',
  nothing: 'Nothing matches',
  more: '{count} more; type to search',
}
