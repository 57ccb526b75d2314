// Package coursepages has the pages of courses: contents, lessons, challenges, tests, handouts. routes.go has their addresses.
package coursepages
