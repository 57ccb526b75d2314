package views

// Catalogue is the catalogue of the whole site, for the tests that import every package of pages.
var Catalogue = words
