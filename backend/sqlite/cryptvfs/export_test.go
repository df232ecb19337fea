package cryptvfs

// PageAt returns the offset of a page, from 1, in the file of an unlocked database.
func PageAt(path string, page int64) int64 {
	db, err := unlocked(path)
	if err != nil {
		panic(err)
	}
	return db.physical(db.tree.block(page - 1))
}

// NodesAt returns the offsets of the nodes above a page, both slots of each: from the leaf to the root.
func NodesAt(path string, page int64) (all [][2]int64) {
	db, err := unlocked(path)
	if err != nil {
		panic(err)
	}
	for level := 1; level <= db.tree.root(); level++ {
		id, _ := db.tree.above(page-1, level)
		block := db.tree.nodeBlock(id)
		all = append(all, [2]int64{db.physical(block), db.physical(block + 1)})
	}
	return all
}
