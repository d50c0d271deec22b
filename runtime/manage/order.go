// Package manage holds what the administration of applications does to their documents: the order of applications, menus, and the package
// in which an application travels. It changes texts only; runtime/app publishes them.
package manage

import "slices"

// Keys gives applications, whose keys are in the order that is wanted, new keys so that they increase: as few as can be change. Step is
// the distance between the keys where room has to be made.
func Keys(keys []int64, step int64) []int64 {
	out := slices.Clone(keys)
	stays := increasing(keys)
	for i := 0; i < len(out); {
		if stays[i] {
			i++
			continue
		}
		end := i // of the run that changes
		for end < len(out) && !stays[end] {
			end++
		}
		if !fill(out, i, end, step) {
			for j := range out {
				out[j] = int64(j+1) * step
			}
			return out
		}
		i = end
	}
	return out
}

// fill spreads the keys from begin to end between their neighbours; false where these leave no room.
func fill(keys []int64, begin, end int, step int64) bool {
	count := int64(end - begin)
	var first, distance int64
	switch {
	case begin == 0 && end == len(keys):
		first, distance = step, step
	case begin == 0:
		first, distance = keys[end]-count*step, step
	case end == len(keys):
		first, distance = keys[begin-1]+step, step
	default:
		distance = (keys[end] - keys[begin-1]) / (count + 1)
		first = keys[begin-1] + distance
	}
	for i := range count {
		keys[begin+int(i)] = first + i*distance
	}
	return distance > 0
}

// increasing marks the members of a longest strictly increasing subsequence.
func increasing(keys []int64) []bool {
	length, before := make([]int, len(keys)), make([]int, len(keys))
	best := -1
	for i := range keys {
		length[i], before[i] = 1, -1
		for j := range i {
			if keys[j] < keys[i] && length[j]+1 > length[i] {
				length[i], before[i] = length[j]+1, j
			}
		}
		if best < 0 || length[i] > length[best] {
			best = i
		}
	}
	out := make([]bool, len(keys))
	for i := best; i >= 0; i = before[i] {
		out[i] = true
	}
	return out
}
