// Package explorepages has the explorer's page, its answers and its socket. routes.go has their addresses.
package explorepages
