module lockstep

go 1.26

require (
	github.com/alicebob/miniredis/v2 v2.40.0 // indirect
	github.com/yuin/gopher-lua v1.1.1 // indirect
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5 // indirect
)
