// Package site has the pages that belong to no course and no run: home, help and the page of an error.
package site
