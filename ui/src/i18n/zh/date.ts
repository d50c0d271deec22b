export const date = {
  openCalendar: '打开日历',
  calendar: '日历',
  openTimes: '选择时间',
  notApplied: '{message}。此条件未生效。',
  enter: {
    date: '请输入日期，如 2026-11-25 或 1125',
    month: '请输入月份，如 2026-11 或 202611',
    year: '请输入年份，如 2026',
    monthDay: '请输入月和日，如 11-25 或 1125',
    moment: '请输入日期和时间，如 2026-11-25 09:15',
    clock: '请输入时间，如 09:15 或 0915',
    time: '请输入时间，如 09:15 或 0915',
    number: '请输入数字，如 1234.5',
  },
}
