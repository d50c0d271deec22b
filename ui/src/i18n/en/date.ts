export const date = {
  openCalendar: 'Open the calendar',
  calendar: 'Calendar',
  openTimes: 'Choose a time',
  notApplied: '{message}. This filter is not applied.',
  enter: {
    date: 'Enter a date, such as 2026-11-25 or 1125',
    month: 'Enter a month, such as 2026-11 or 202611',
    year: 'Enter a year, such as 2026',
    monthDay: 'Enter a month and a day, such as 11-25 or 1125',
    moment: 'Enter a date and a time, such as 2026-11-25 09:15',
    clock: 'Enter a time, such as 09:15 or 0915',
    time: 'Enter a time, such as 09:15 or 0915',
    number: 'Enter a number, such as 1234.5',
  },
}
