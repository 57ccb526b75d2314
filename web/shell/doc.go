// Package shell reads the command line, and speaks to whoever types it.
//
//	arguments → the model of the commands → one command to run, or a sentence
//
// The model is kong's: a struct for each command, its fields the flags. A tag help has a text in English and a tag zh the same
// in Chinese; complete lists words to complete, where the flag has no enum. All else is made of that model and cannot
// contradict it: the help, the manual, what a shell completes, and what is said about a mistake.
//
// kong-completion, kongplete and mango-kong do a part of this. Their last releases are of 2022 and 2023, and they know one language.
package shell
