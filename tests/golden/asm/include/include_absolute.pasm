; errors: an absolute path, which is searched nowhere else; a folder of -I without the file
            .include "/none/words.inc"
            .include "nowhere.inc"
            done
