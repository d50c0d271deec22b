export const picker = {
  choose: 'Choose',
  nothing: 'No matches',
  missed: "Nothing was selected for “{text}”. The value wasn't changed.",
  unfound: 'No matches for “{text}”. Choose another option or remove the text, then save.',
  joint: ', ',
  recent: 'Chosen recently',
  others: 'Others',
  create: 'Add {name}',
  createTitle: 'Add {name} and select it',
  notOffered: "Saved, but it doesn't meet the conditions of this field",
  more: '{count, number} more options. Type to search.',
  more_one: '{count} more option. Type to search.',
}
