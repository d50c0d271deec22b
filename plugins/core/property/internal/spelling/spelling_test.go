package spelling_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/plugins/core/property/internal/spelling"
)

func TestDate(t *testing.T) {
	for in, want := range map[string]string{
		"2026-11-25": "2026-11-25", "2026/1/5": "2026-01-05", "2026.11.25": "2026-11-25", "2026年3月5日": "2026-03-05", "2026 年 3 月 5 日": "2026-03-05",
		"２０２６年３月５号": "2026-03-05", "20261125": "2026-11-25", "202611250830": "2026-11-25 08:30:00", "2026-11-25T08:30:05": "2026-11-25 08:30:05",
		"2026-11-25 8:30": "2026-11-25 08:30:00", "2026年3月5日 下午3点": "2026-03-05 15:00:00", "2026年3月5日 上午 8:05:09": "2026-03-05 08:05:09",
		"2026年3月5日 星期四": "2026-03-05", "Nov 25, 2026": "2026-11-25", "November 5th 2026": "2026-11-05", "25 Nov 2026": "2026-11-25", "5-Mar-2026": "2026-03-05",
		"Wed, 25 Nov 2026 8:30 PM": "2026-11-25 20:30:00", "11/25/2026": "2026-11-25", "25/11/2026": "2026-11-25", "05/05/2026": "2026-05-05",
		"2026年3月": "2026-03", "2026-03": "2026-03", "2026": "2026", "2026年": "2026", "Dec 31 2026 12:00 AM": "2026-12-31 00:00:00",
	} {
		got, ok := spelling.Date(in)
		require.True(t, ok, in)
		require.Equal(t, want, got, in)
	}
	for _, in := range []string{"", "03/04/2026", "26-11-25", "soon", "2026-11-25 garbage", "46351", "2026-11-25 25:00", "明天"} {
		got, ok := spelling.Date(in)
		require.False(t, ok, "%s became %s", in, got)
	}
}

func TestTime(t *testing.T) {
	for in, want := range map[string]string{
		"8:30": "08:30:00", "08:30:05": "08:30:05", "0830": "08:30:00", "8时30分": "08:30:00", "8点半": "08:30:00", "8点": "08:00:00", "下午3点": "15:00:00",
		"下午 3:05": "15:05:00", "3:05 PM": "15:05:00", "12:05 am": "00:05:00", "中午12点": "12:00:00", "８：３０": "08:30:00", "20时15分30秒": "20:15:30", "pm 3:00": "15:00:00",
	} {
		got, ok := spelling.Time(in)
		require.True(t, ok, in)
		require.Equal(t, want, got, in)
	}
	for _, in := range []string{"", "8", "25:00", "8:60", "garbage", "am 8:00 pm", "2460"} {
		got, ok := spelling.Time(in)
		require.False(t, ok, "%s became %s", in, got)
	}
}
