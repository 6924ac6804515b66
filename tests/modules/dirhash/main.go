// Prints the hash of each directory in the arguments, as golang.org/x/mod/sumdb/dirhash computes it.
package main

import (
	"fmt"
	"os"

	"golang.org/x/mod/sumdb/dirhash"
)

func main() {
	for _, directory := range os.Args[1:] {
		hash, err := dirhash.HashDir(directory, "", dirhash.Hash1)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(hash)
	}
}
