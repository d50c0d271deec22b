// Package workday counts working time: hours of the days of a week, and dates that differ from it. It knows no clock and no database; what a
// calendar holds is given to New.
//
// A moment is working time when the clock on the wall of the calendar's zone shows a time within the hours of that date. Where clocks are
// set back, working hours that happen twice count twice; those that are skipped do not count.
package workday
