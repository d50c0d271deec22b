export const picker = {
  choose: 'Choose',
  nothing: 'Nothing matches',
  missed: 'Nothing was chosen for “{text}”. The value is unchanged.',
  unfound: 'Nothing is found for “{text}”. Choose again, or remove the text, then save.',
  joint: ', ',
  recent: 'Chosen recently',
  others: 'Others',
  create: 'New {name}',
  createTitle: 'New {name}, chosen once it is saved',
  notOffered: 'Saved, but it cannot be chosen here',
  more: '{count} more; type to search',
}
